/** The conversations of bench/conversation.ts, one step (the start, or a line) per turn. */
import { cpSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Script, scripts } from '../../conversation/scripts.ts';
import {
  type Bench,
  type Build,
  environment,
  type Place,
  type Sample,
  type Subject,
} from '../bench.ts';

const ROUNDS = 3;
const LIMIT_MS = 30_000;

interface Step {
  script: Script;
  /** 0 is the start of the program; after the last line it is closed. */
  number: number;
}

/** Undefined where the program was not ready in time. */
const timed = async (act: () => Promise<{ timedOut?: boolean }>): Promise<number | undefined> => {
  const started = performance.now();
  const { timedOut } = await act();
  return timedOut ? undefined : performance.now() - started;
};

const steps: readonly Step[] = scripts.flatMap((script) =>
  Array.from({ length: script.lines.length + 2 }, (_, number) => ({ script, number })),
);

export const conversation: Bench = {
  turns: ROUNDS * steps.length,
  prepare,
  open,
};

/** A server, a repository, a program with a bug: made once, as it takes longer than to use it. */
async function prepare(shared: string): Promise<() => Promise<void>> {
  // Not in the processes that are measured: it would load a part of our build beside theirs.
  const { run } = await import('../../../conversations/scenes/run.ts');
  const { scenes } = await import('../../../conversations/scenes.ts');
  const strikes: (() => Promise<void>)[] = [];
  for (const script of scripts) {
    const cwd = join(shared, script.name);
    mkdirSync(cwd);
    const scene = script.scene === undefined ? undefined : await scenes[script.scene]!(cwd);
    if (scene !== undefined) strikes.push(scene.strike);
    const env = { PATH: environment.PATH, HOME: cwd, ...scene?.env };
    if (script.before !== undefined) await run('sh', ['-c', script.before], { cwd, env });
    writeFileSync(`${cwd}.json`, JSON.stringify(scene?.env ?? {}));
  }
  return async () => {
    for (const strike of strikes) await strike();
  };
}

async function open({ LocalSessions }: Build, { folder, shared }: Place): Promise<Subject> {
  const sessions = new LocalSessions();
  /** Not timed: a conversation changes the files it starts from, so it gets its own. */
  const makePlace = (script: Script) => {
    const prepared = join(shared, script.name);
    const cwd = mkdtempSync(join(folder, 'conversation-'));
    if (script.before !== undefined) cpSync(prepared, cwd, { recursive: true });
    const scene = JSON.parse(readFileSync(`${prepared}.json`, 'utf8'));
    return { cwd, env: { ...environment, HOME: cwd, PAGER: 'cat', ...scene } };
  };
  const begin = (script: Script) => {
    const place = makePlace(script);
    return timed(() => sessions.open({ command: script.command, name: 'it', ...place }));
  };
  const say = (text: string) => timed(() => sessions.send('it', { text, timeoutMs: LIMIT_MS }));
  const turn = async (at: number): Promise<readonly Sample[]> => {
    const { script, number } = steps[at % steps.length]!;
    const { name, lines } = script;
    if (number > lines.length) {
      await sessions.closeAll({ graceMs: 0 });
      return [];
    }
    const ms = await (number === 0 ? begin(script) : say(lines[number - 1]!));
    if (ms === undefined) throw new Error(`${name} did not finish step ${number}`);
    return [{ metric: `${name} ms`, step: String(number), values: [ms] }];
  };
  // Warms up the library. A program's first start is slow as well: the faster half leaves it out.
  for (let at = 0; steps[at]!.script === scripts[0]; at++) await turn(at);
  return { turn, end: async () => void (await sessions.closeAll({ graceMs: 0 })) };
}
