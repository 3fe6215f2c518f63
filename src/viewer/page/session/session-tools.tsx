/** What a person can do with a session besides typing. */
import { useState } from 'preact/hooks';
import { useAsk, usePage } from '../page-context.ts';
import { goTo } from '../route.ts';

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGTSTP', 'SIGCONT', 'SIGKILL'] as const;

export const SignalChoice = ({ session }: { session: string }) => {
  const ask = useAsk();
  return (
    <select
      aria-label="Send a signal"
      value=""
      onChange={({ currentTarget }) => {
        const signal = currentTarget.value;
        currentTarget.value = '';
        if (signal !== '') void ask('signal', { session, signal });
      }}
    >
      <option value="">Signal…</option>
      {SIGNALS.map((signal) => (
        <option key={signal}>{signal}</option>
      ))}
    </select>
  );
};

export const ResizeForm = ({ session }: { session: string }) => {
  const ask = useAsk();
  const { say } = usePage();
  return (
    <form
      class="resize"
      onSubmit={(event) => {
        event.preventDefault();
        const field = event.currentTarget.elements.namedItem('size') as HTMLInputElement;
        const [, cols, rows] = /^\s*(\d+)\s*[x×]\s*(\d+)\s*$/.exec(field.value) ?? [];
        if (cols === undefined) {
          say('A size is columns x rows, such as 120x40.', 'bad');
          return;
        }
        field.value = '';
        void ask('resize', { session, cols: Number(cols), rows: Number(rows) });
      }}
    >
      <input
        name="size"
        aria-label="New size, as 120x40, then Enter"
        placeholder="120x40"
        size={7}
      />
    </form>
  );
};

/** A second press within reach: a session with its work must not end by a slip. */
export const CloseButton = ({ session }: { session: string }) => {
  const ask = useAsk();
  const { say } = usePage();
  const [isSure, setSure] = useState(false);
  const close = async () => {
    const done = await ask('close', { session });
    if (done === undefined) return;
    const left = done.survivors.join(', ');
    say(`${session} is closed.${left && ` What has left it goes on: ${left}.`}`);
    goTo({ view: 'sessions' });
  };
  return (
    <button
      type="button"
      class={isSure ? 'danger' : ''}
      onBlur={() => setSure(false)}
      onClick={() => (isSure ? void close() : setSure(true))}
    >
      {isSure ? 'Close it and its programs?' : 'Close'}
    </button>
  );
};
