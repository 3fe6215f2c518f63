/** The shell that a session was opened with: how its marks are known, and whether it is still there. */

import type { ScreenEvent, ShellMark } from '../../screen/sequences/screen-events.ts';
import { type MarkedShell, type ShellStart, withMarks } from '../../shell/marked.ts';
import { reportingFolder } from '../../shell/report-folder.ts';
import { isOutOfDescriptors } from '../../system/descriptors.ts';
import { commandLineOf } from '../../system/proc/process-info.ts';
import type { OpenRequest } from '../options/requests.ts';

/** What `run` was last asked to do in a session, until it is known to have ended. */
export interface RunningCommand {
  command: string;
  /** Its caller still waits for it. */
  isAwaited: boolean;
  /** Where its end mark was typed: the prompt at which that was done. */
  typedAtPrompt?: string;
}

export class SessionShell {
  /** By which its marks are known; absent where it has none. */
  readonly aid: string | undefined;
  readonly kind: MarkedShell | undefined;
  readonly start: ShellStart;
  /** It needs nothing more for its start, or will never. */
  readonly onStarted: () => void;
  running: RunningCommand | undefined;
  /** The marks of its last prompt. */
  readonly #prompt = new Set<ShellMark['mark']>();
  /** Of the process that marks, when it did so first. */
  #commandLine: string | undefined;

  constructor({ command, marks, tellsFolder, env }: OpenRequest) {
    const [path = ''] = command;
    const plain = { aid: undefined, command, env };
    const unmarked = tellsFolder ? { ...reportingFolder(command), env } : plain;
    const marked = marks && withMarks(marks.shell, path, { clean: marks.clean, env });
    const { aid, ...start } = marked ?? unmarked;
    this.aid = aid;
    this.kind = marks?.shell;
    this.start = start;
    this.onStarted = marked?.hasStarted ?? (() => {});
  }

  onScreenEvent(event: ScreenEvent, pid: number): void {
    if (event.type !== 'mark' || this.aid === undefined || event.aid !== this.aid) return;
    // bash draws a prompt anew without a mark at its begin.
    if (event.mark !== 'input') this.#prompt.clear();
    this.#prompt.add(event.mark);
    if (this.#commandLine !== undefined) return;
    this.#commandLine = readCommandLine(pid);
    this.onStarted();
  }

  /**
   * Whether it will tell where the next command begins. Our hook before the prompt sees to that, if
   * it is still called; but bash tells by its prompts, which `exec 2>file` sends elsewhere.
   */
  get marksCommands(): boolean {
    const isDrawnHere = this.kind !== 'bash' || this.#prompt.has('input');
    return this.#prompt.has('prompt') && isDrawnHere;
  }

  /** By `exec`: what is now in its place knows nothing of marks. */
  isReplaced(pid: number): boolean {
    if (this.#commandLine === undefined) return false;
    const line = readCommandLine(pid);
    return line !== undefined && line !== this.#commandLine;
  }
}

/** Undefined where there is no descriptor left to look with. */
const readCommandLine = (pid: number): string | undefined => {
  try {
    return commandLineOf(pid);
  } catch (error) {
    if (isOutOfDescriptors(error)) return undefined;
    throw error;
  }
};
