/** Holds a conversation, and says at every step whether the verdict was right. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { confineProgram } from '../src/sandbox/confine-program.ts';
import { makeSandbox } from '../src/sandbox/sandbox.ts';
import type { Verdict } from '../src/state/verdict.ts';
import type { ProgramRequest } from '../src/system/process/locate-program.ts';
import {
  type Conversation,
  type Exited,
  RELEASE_FILE,
  type Step,
  type Waiting,
  type Working,
} from './conversation.ts';
import { isRoot } from './scenes/run.ts';
import { type Scene, scenes } from './scenes.ts';
import { Talk } from './talk.ts';

export interface Checkpoint {
  conversation: string;
  step: number;
  expected: Step['expect'];
  verdict: Verdict | undefined;
  /** What was wrong with it; absent where all was right. */
  problem?: string;
  /** From typing to the verdict. */
  tookMs: number;
  /** When the verdict was given, in ms since 1970. */
  atMs: number;
}

export interface HoldOptions {
  /** A command line that starts the program in its turn, such as one of strace. */
  under?: string;
  /** The profile of a sandbox in which it is held; its folder is the workspace. */
  sandbox?: string;
}

/** A program that is still not ready then has failed the step. */
const LIMIT_MS = 15_000;
/** A program that must be found working is watched this long for a wrong "ready". */
const WORKING_MS = 250;

/** Debian's own programs before a version manager's; games, because that is where some are put. */
const PATH = '/usr/bin:/bin:/usr/sbin:/sbin:/usr/games';

/** In a folder of its own, which is also the home of the program. */
export const hold = async (
  conversation: Conversation,
  { under = '', sandbox }: HoldOptions = {},
): Promise<Checkpoint[]> => {
  const folder = mkdtempSync(join(tmpdir(), 'repartee-'));
  let scene: Scene | undefined;
  try {
    for (const [name, text] of Object.entries(conversation.files ?? {})) {
      writeFileSync(join(folder, name), text);
    }
    scene =
      conversation.scene === undefined ? undefined : await makeScene(conversation.scene, folder);
    const env = {
      PATH,
      TERM: 'xterm-256color',
      LANG: 'C.UTF-8',
      HOME: folder,
      NODE: process.execPath,
    };
    const command = `exec ${under} ${conversation.open}`;
    const started = {
      program: '/bin/sh',
      args: ['-c', command],
      cwd: folder,
      env: { ...env, ...scene?.env, ...conversation.env },
    };
    const options =
      sandbox === undefined ? started : await confineProgram(makeSandbox(sandbox, folder), started);
    return await converse(conversation, options, folder);
  } finally {
    await scene?.strike();
    rmSync(folder, { recursive: true, force: true });
  }
};

const makeScene = (name: string, folder: string) => {
  const make = scenes[name];
  if (make === undefined) throw new Error(`No scene "${name}" in scenes.ts.`);
  return make(folder);
};

/** Ends at the first wrong verdict, since all that follows would be wrong too. */
const converse = async (
  { name, steps }: Conversation,
  options: ProgramRequest,
  folder: string,
): Promise<Checkpoint[]> => {
  const talk = await Talk.open(options);
  const checkpoints: Checkpoint[] = [];
  try {
    for (const [at, step] of steps.entries()) {
      const started = performance.now();
      if (step.release) writeFileSync(join(folder, RELEASE_FILE), '');
      await perform(talk, step);
      const verdict = await verdictAfter(talk, step);
      const atMs = performance.timeOrigin + performance.now();
      const problem = findProblem(step, verdict, talk);
      const tookMs = performance.now() - started;
      checkpoints.push({
        conversation: name,
        step: at + 1,
        expected: step.expect,
        verdict,
        tookMs,
        atMs,
        ...(problem && { problem: `${problem}\n${describe(verdict)}\n${talk.text().trimEnd()}` }),
      });
      if (problem) break;
    }
  } finally {
    await talk.close();
  }
  return checkpoints;
};

const perform = async (talk: Talk, { type, text, keys }: Step): Promise<void> => {
  if (text !== undefined) await talk.write(text);
  if (type !== undefined) {
    await talk.write(type);
    await talk.write('\r');
  }
  if (keys !== undefined) await talk.press(keys);
};

const verdictAfter = async (talk: Talk, step: Step): Promise<Verdict | undefined> => {
  if (!('working' in step.expect)) return talk.ready(LIMIT_MS);
  const endMs = performance.now() + LIMIT_MS;
  for (;;) {
    const ready = await talk.ready(WORKING_MS);
    if (ready !== undefined) return ready;
    const verdict = await talk.verdict();
    // On a busy machine it may only be about to begin with what it must be found at.
    const isThere = findProblem(step, verdict, talk) === undefined;
    if (isThere || verdict.state !== 'working' || performance.now() > endMs) return verdict;
  }
};

const findProblem = (step: Step, verdict: Verdict | undefined, talk: Talk): string | undefined => {
  const { expect, shows } = step;
  if (verdict === undefined) return 'never ready';
  const wrong =
    'working' in expect
      ? wrongWork(expect, verdict)
      : 'exited' in expect
        ? wrongExit(expect, verdict, talk)
        : wrongWait(expect, verdict);
  if (wrong) return wrong;
  if (shows && !shows.test(talk.text())) return `does not show ${shows}`;
  return undefined;
};

const wrongWork = ({ working, orGuess }: Working, verdict: Verdict): string | undefined => {
  if (orGuess && verdict.state === 'waiting' && verdict.certainty === 'guess') return undefined;
  if (verdict.state !== 'working') return 'not found working';
  if (working !== 'anything' && verdict.activity !== working) return `not ${working}`;
  return undefined;
};

const wrongExit = ({ exited }: Exited, verdict: Verdict, talk: Talk): string | undefined => {
  if (verdict.state !== 'exited') return 'not found exited';
  const { code, signal } = talk.pty.exit ?? {};
  return (code ?? signal) === exited ? undefined : `exit is ${code ?? signal}, not ${exited}`;
};

const ranks = ['guess', 'likely', 'certain'] as const;

const wrongWait = (expect: Waiting, verdict: Verdict): string | undefined => {
  if (verdict.state !== 'waiting') return 'not found waiting';
  if (verdict.waitingFor !== expect.for) return `waits for ${expect.for}`;
  if (expect.prompt && !expect.prompt.test(verdict.prompt ?? '')) {
    return `prompt does not match ${expect.prompt}`;
  }
  const least = expect.certainty ?? (expect.setuid && !isRoot ? 'likely' : 'certain');
  return ranks.indexOf(verdict.certainty) < ranks.indexOf(least) ? `not ${least}` : undefined;
};

const describe = (verdict: Verdict | undefined) => JSON.stringify(verdict);
