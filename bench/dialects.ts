/**
 * A conversation of ten exchanges with Python through each dialect, as an agent holds it that knows
 * only the dialect's own defaults: with waits that end when the program waits for input, and with
 * waits as long as in the original.
 */
import { type DialectName, dialectNames } from '../src/dialects/dialect-names.ts';
import { dialect } from '../src/dialects/foreign-dialects.ts';
import type { Dialect, ToolResult } from '../src/dialects/tool.ts';
import { type Args, median, numberFlag, type Report } from './report/report.ts';

const EXCHANGES = 10;
const lineOf = (at: number) => `print("answer", sum(range(${1000 + at})))`;
const answerOf = (at: number) => `answer ${((1000 + at) * (999 + at)) / 2}`;
/** Calls in vain before the bench gives up. */
const MOST_CALLS = 200;

export const run = async (args: Args): Promise<Report> => {
  const rounds = numberFlag(args, 'rounds', 3);
  const rows: Report['rows'] = [];
  const claims: Report['claims'] = [];
  for (const name of dialectNames) {
    const early: Held[] = [];
    const strict: Held[] = [];
    for (let round = 0; round < rounds; round++) {
      early.push(await hold(name, false));
      strict.push(await hold(name, true));
    }
    const [earlyMs, strictMs] = [msOf(early), msOf(strict)];
    rows.push({
      dialect: name,
      'early returns, ms': earlyMs,
      calls: callsOf(early),
      'strict waits, ms': strictMs,
      'calls, strict': callsOf(strict),
      'saved, ms': strictMs - earlyMs,
      'times as fast': strictMs / earlyMs,
    });
    // Tricode has pipes, and nothing to know.
    if (name !== 'tricode')
      claims.push({
        claim: `${name}: early returns save time (${Math.round(strictMs - earlyMs)} ms)`,
        holds: earlyMs < strictMs,
      });
  }
  return {
    question: `How long do ${EXCHANGES} exchanges with Python take through each dialect?`,
    rows,
    claims,
  };
};

interface Held {
  ms: number;
  calls: number;
}

const msOf = (all: readonly Held[]) => median(all.map(({ ms }) => ms));
const callsOf = (all: readonly Held[]) => median(all.map(({ calls }) => calls));

type Call = (tool: string, args: Record<string, unknown>) => Promise<ToolResult>;
/** Starts Python, then asks. What it was told may hold the answer or be too early for it. */
type Conversation = (call: Call) => Promise<{
  ask(line: string): Promise<string>;
  again(): Promise<string>;
}>;

const hold = async (name: DialectName, strictWaits: boolean): Promise<Held> => {
  const spoken = dialect(name, { strictWaits });
  try {
    const startedMs = performance.now();
    let calls = 0;
    const { ask, again } = await conversations[name]((tool, args) => {
      if (++calls > MOST_CALLS) throw new Error(`${name}: no answer in ${MOST_CALLS} calls`);
      return toolOf(spoken, tool).run(args, {});
    });
    for (let at = 0; at < EXCHANGES; at++) {
      let told = await ask(lineOf(at));
      while (!told.includes(answerOf(at))) told += await again();
    }
    return { ms: performance.now() - startedMs, calls };
  } finally {
    await spoken.close();
  }
};

const toolOf = ({ tools }: Dialect, name: string) => tools.find((tool) => tool.name === name)!;

const textIn = ({ structured }: ToolResult) => String(structured?.output ?? '');

const conversations: Readonly<Record<DialectName, Conversation>> = {
  codex: async (call) => {
    const started = await call('exec_command', { cmd: 'python3 -q', tty: true, login: false });
    const { session_id } = started.structured!;
    const write = async (chars: string) => textIn(await call('write_stdin', { session_id, chars }));
    return { ask: (line) => write(`${line}\n`), again: () => write('') };
  },
  hive: async (call) => {
    const { session_id } = (await call('terminal_pty_open', { env: { HISTFILE: '/dev/null' } }))
      .structured!;
    const runs = async (args: object) =>
      textIn(await call('terminal_pty_run', { session_id, ...args }));
    await runs({ command: 'python3 -q', expect: '>>>\\s*$' });
    const again = () => runs({ read_only: true });
    return {
      ask: async (line) => {
        await runs({ command: `${line}\n`, raw_send: true });
        return again();
      },
      again,
    };
  },
  unified: async (call) => {
    const { session_id } = (await call('unified_exec', { cmd: 'python3 -q' })).structured!;
    const write = async (chars: string) => textIn(await call('write_stdin', { session_id, chars }));
    return { ask: (line) => write(`${line}\n`), again: () => write('') };
  },
  tricode: async (call) => {
    const { text } = await call('start_session', { command: 'python3 -q -i -u' });
    const session_id = text.split(' ')[1]!;
    const again = async () => (await call('read_output', { session_id })).text;
    return {
      ask: async (line) => {
        await call('send_input', { session_id, input_text: line });
        return again();
      },
      again,
    };
  },
};
