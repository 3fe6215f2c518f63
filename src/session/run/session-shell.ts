/** The shell a session was opened with: how to start it, its marks, and whether it is still there. */

import type { ScreenEvent, ShellMark } from '../../screen/sequences/screen-events.ts';
import { withEndMark } from '../../shell/end-mark.ts';
import {
  type MarkedShell,
  type ShellStartCommand,
  startWithMarks,
} from '../../shell/start-with-marks.ts';
import { isOutOfDescriptors } from '../../system/descriptors.ts';
import { commandLineOf } from '../../system/proc/process-info.ts';
import { ifDefined } from '../options/if-defined.ts';
import type { OpenRequest } from '../options/requests.ts';
import type { ShellSnapshot } from '../snapshot/session-snapshot.ts';
import type { CommandTracker } from './command-tracker.ts';

/** The last command of `run` in a session, until its end is known. */
export interface RunningCommand {
  command: string;
  /** Its caller still waits for it. */
  isAwaited: boolean;
  /** If its end mark was typed: the prompt at which it was typed. */
  typedAtPrompt?: string;
  tracker?: CommandTracker;
}

/** A shell has one, or two if it can wait with a time-out. */
const MAX_PROMPT_PLACES = 8;

/** How to start the program of a session, and the shell that it is, if it is one. */
export const prepareShell = ({
  command,
  marks,
  tellsFolder,
  env,
}: OpenRequest): { shell: SessionShell; start: ShellStartCommand } => {
  const [path = ''] = command;
  const plain = { aid: undefined, command, env, files: undefined };
  const unmarked = tellsFolder ? { ...plain, ...withEndMark(command) } : plain;
  const marked = marks && startWithMarks(marks.shell, path, { clean: marks.clean, env });
  const { aid, command: toStart, env: startEnv, files } = marked ?? unmarked;
  const shell = new SessionShell(aid, marks?.shell, marked?.onStarted);
  return { shell, start: { command: toStart, env: startEnv, ...ifDefined('files', files) } };
};

export class SessionShell {
  /** The key in its marks. Absent if it prints none. */
  readonly aid: string | undefined;
  readonly kind: MarkedShell | undefined;
  /** Must be called when the shell has read its startup files, or never will. */
  readonly onStarted: () => void;
  running: RunningCommand | undefined;
  /** The marks of its last prompt. */
  readonly #promptMarks = new Set<ShellMark['mark']>();
  /** It was found at its prompt without marks, and has printed none since. */
  isUnmarked = false;
  /** Its hook was not called at the start of the last command. */
  #isStartUnseen = false;
  /** The command line of the shell's process at its first mark. */
  #commandLine: string | undefined;
  /** Where in its program the shell has waited at marked prompts. */
  readonly #promptPlaces = new Set<string>();

  constructor(aid: string | undefined, kind: MarkedShell | undefined, onStarted = () => {}) {
    this.aid = aid;
    this.kind = kind;
    this.onStarted = onStarted;
  }

  /** Without its running command, which listens to the session. */
  static restore(snapshot: ShellSnapshot): SessionShell {
    const { aid, kind, promptMarks, commandLine, promptPlaces } = snapshot;
    const shell = new SessionShell(aid, kind);
    for (const mark of promptMarks) shell.#promptMarks.add(mark);
    shell.#commandLine = commandLine;
    for (const place of promptPlaces) shell.#promptPlaces.add(place);
    shell.isUnmarked = snapshot.isUnmarked;
    shell.#isStartUnseen = snapshot.isStartUnseen;
    return shell;
  }

  snapshot(): ShellSnapshot {
    const { aid, kind, running } = this;
    return {
      ...ifDefined('aid', aid),
      ...ifDefined('kind', kind),
      promptMarks: [...this.#promptMarks],
      isUnmarked: this.isUnmarked,
      isStartUnseen: this.#isStartUnseen,
      ...ifDefined('commandLine', this.#commandLine),
      promptPlaces: [...this.#promptPlaces],
      ...(running && {
        running: {
          command: running.command,
          ...ifDefined('typedAtPrompt', running.typedAtPrompt),
          ...ifDefined('tracker', running.tracker?.snapshot()),
        },
      }),
    };
  }

  onScreenEvent(event: ScreenEvent, pid: number): void {
    if (event.type !== 'mark' || this.aid === undefined || event.aid !== this.aid) return;
    this.isUnmarked = false;
    if (event.mark === 'done' || (event.mark === 'input' && event.unseen))
      this.#isStartUnseen = event.unseen === true && !this.#promptMarks.has('output');
    // bash redraws a prompt without a mark at its start.
    if (event.mark !== 'input') this.#promptMarks.clear();
    this.#promptMarks.add(event.mark);
    if (this.#commandLine !== undefined) return;
    this.#commandLine = readCommandLine(pid);
    this.onStarted();
  }

  /**
   * Whether it will mark the start of the next command. Our hook before the prompt takes care of that, if
   * it is still called. But bash prints its marks in the prompt, which `exec 2>file` sends elsewhere. And
   * what has removed the hook before one command may do so before the next.
   */
  get marksCommands(): boolean {
    const isDrawnHere = this.kind !== 'bash' || this.#promptMarks.has('input');
    return this.#promptMarks.has('prompt') && isDrawnHere && !this.#isStartUnseen;
  }

  /** Called when it is certain that the shell waits at a prompt that it has marked. */
  notePromptPlace(place: string | undefined): void {
    if (place === undefined || this.#promptPlaces.size >= MAX_PROMPT_PLACES) return;
    this.#promptPlaces.add(place);
  }

  /** In its `read`, its stack is deeper. */
  isPromptPlace(place: string): boolean {
    return this.#promptPlaces.has(place);
  }

  /** Whether `exec` has replaced it by a program that prints no marks. */
  isReplaced(pid: number): boolean {
    if (this.#commandLine === undefined) return false;
    const line = readCommandLine(pid);
    return line !== undefined && line !== this.#commandLine;
  }
}

/** Undefined if there is no file descriptor left to read it. */
const readCommandLine = (pid: number): string | undefined => {
  try {
    return commandLineOf(pid);
  } catch (error) {
    if (isOutOfDescriptors(error)) return undefined;
    throw error;
  }
};
