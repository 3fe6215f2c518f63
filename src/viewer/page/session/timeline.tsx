/** What happened in a session, the latest first. A moment leads to the screen at that time. */
import type { ComponentChildren } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import type { TimelineEntry } from '../../page-messages.ts';
import { usePage, usePageState } from '../page-context.ts';
import { hrefOf } from '../route.ts';
import { clockTime, describeDuration, describeState } from '../words.ts';

/** More are in the recording. */
const SHOWN = 400;

export const Timeline = ({ session }: { session: string }) => {
  const { link } = usePage();
  const { connection, sessions } = usePageState();
  const [entries, setEntries] = useState<ReadonlyMap<number, TimelineEntry>>(new Map());
  const [recording, setRecording] = useState<string>();
  const [trouble, setTrouble] = useState<string>();
  // It changes with each entry, and is cheap to ask for: the server has it.
  const state = sessions?.get(session);
  useEffect(() => {
    let isCurrent = true;
    link.request('timeline', { session }).then(
      (timeline) => {
        if (!isCurrent) return;
        setTrouble(undefined);
        setRecording(timeline.recording);
        setEntries(new Map(timeline.entries.map((entry) => [entry.number, entry])));
      },
      (error: Error) => isCurrent && setTrouble(error.message),
    );
    return () => {
      isCurrent = false;
    };
  }, [session, connection, state?.isRecorded]);
  useEntries((entry) => setEntries((before) => new Map(before).set(entry.number, entry)));
  const inOrder = [...entries.values()].sort(byTime);
  const lasted = durationsOf(inOrder);
  const shown = inOrder.slice(-SHOWN).reverse();
  return (
    <aside class="timeline" aria-label="Timeline">
      <h2>Timeline</h2>
      {trouble !== undefined && <p class="faint">{trouble}</p>}
      {shown.length === 0 && <p class="faint">Nothing has happened yet.</p>}
      <ol>
        {shown.map((entry) => (
          <Entry
            key={entry.number}
            entry={entry}
            lastedMs={lasted.get(entry.number)}
            recording={recording}
          />
        ))}
      </ol>
      {recording === undefined && shown.length > 0 && (
        <p class="faint">This session is not recorded: its past screens are not kept.</p>
      )}
    </aside>
  );
};

const byTime = (one: TimelineEntry, other: TimelineEntry): number =>
  one.at - other.at || one.number - other.number;

/** How long each state lasted, by the number of its entry: how long something worked, or waited. */
const durationsOf = (entries: readonly TimelineEntry[]): ReadonlyMap<number, number> => {
  const lasted = new Map<number, number>();
  let last: TimelineEntry | undefined;
  for (const entry of entries) {
    if (entry.kind !== 'state' && entry.kind !== 'exit') continue;
    if (last !== undefined) lasted.set(last.number, entry.at - last.at);
    last = entry;
  }
  return lasted;
};

const useEntries = (onEntry: (entry: TimelineEntry) => void): void => {
  const { store } = usePage();
  useEffect(() => store.onEntry(onEntry), []);
};

interface EntryProps {
  entry: TimelineEntry;
  lastedMs: number | undefined;
  recording: string | undefined;
}

const Entry = ({ entry, lastedMs, recording }: EntryProps) => {
  const time = clockTime(entry.at);
  const words = wordsOf(entry);
  // Of a command, the screen with its output.
  const at = entry.at + (entry.kind === 'command' ? (entry.tookMs ?? 0) : 0);
  return (
    <li class={`entry ${words.tone}`}>
      {recording === undefined ? (
        <time>{time}</time>
      ) : (
        <a
          href={hrefOf({ view: 'recording', recording, at })}
          aria-label={`The screen at ${time}`}
          title="The screen at this moment"
        >
          <time>{time}</time>
        </a>
      )}
      <span class="said-what">
        {words.text}
        {lastedMs !== undefined && <span class="faint"> for {describeDuration(lastedMs)}</span>}
      </span>
    </li>
  );
};

const wordsOf = (entry: TimelineEntry): { tone: string; text: ComponentChildren } => {
  switch (entry.kind) {
    case 'input': {
      const what = entry.hidden ? (
        <em>{entry.secret === undefined ? 'something hidden' : `the secret ${entry.secret}`}</em>
      ) : (
        <code>{entry.text}</code>
      );
      return {
        tone: 'input',
        text: (
          <>
            <b>{entry.actor || 'somebody'}</b> typed {what}
          </>
        ),
      };
    }
    case 'command': {
      const { text, isOver, exitCode, tookMs = 0 } = entry;
      const end = exitCode === undefined ? 'ended' : `exit ${exitCode}`;
      return {
        tone: isOver && exitCode !== 0 && exitCode !== undefined ? 'failed' : 'command',
        text: (
          <>
            command {text !== '' && <code>{text}</code>}{' '}
            {isOver ? (
              <>
                <b>{end}</b> after {describeDuration(tookMs)}
              </>
            ) : (
              'runs'
            )}
          </>
        ),
      };
    }
    case 'state': {
      const { state } = entry;
      const { prompt, foreground } = state;
      return {
        tone: state.state,
        text: (
          <>
            {foreground ?? 'it'} {state.state === 'working' ? 'is working' : describeState(state)}
            {prompt !== undefined && prompt.trim() !== '' && (
              <>
                {' '}
                at <code>{prompt}</code>
              </>
            )}
          </>
        ),
      };
    }
    case 'keyboard':
      return {
        tone: 'keyboard',
        text: entry.isTaken ? (
          <>
            <b>{entry.actor}</b> took the keyboard
          </>
        ) : (
          'the keyboard was given back'
        ),
      };
    case 'approval':
      return { tone: 'approval', text: entry.text };
    case 'trouble':
      return { tone: 'failed', text: entry.text };
    case 'exit': {
      const how = entry.signal ?? (entry.exitCode === undefined ? '' : `code ${entry.exitCode}`);
      return { tone: 'exited', text: `the program has ended ${how && `(${how})`}` };
    }
  }
};
