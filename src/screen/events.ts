/** What a program tells its terminal besides what it draws, as data. */

/**
 * Shell marks: FinalTerm's OSC 133 and VS Code's OSC 633, which agree on these four.
 * `prompt`: a prompt begins. `input`: it ends, the user types. `output`: the command was accepted
 * and runs. `done`: it ended, with this exit code if the shell said so.
 */
export type ShellMark =
  | { mark: 'prompt' | 'input' | 'output' }
  | { mark: 'done'; exitCode: number | undefined };

/** ConEmu's OSC 9;4. `percent` is absent where the program does not know. */
export interface Progress {
  state: 'none' | 'normal' | 'error' | 'indeterminate' | 'paused';
  percent?: number;
}

export type ModeName =
  | 'bracketedPaste'
  | 'applicationCursor'
  | 'alternateScreen'
  | 'cursorVisible'
  | 'focusEvents'
  | 'synchronizedOutput'
  | 'mouse';

/** `position` is right after the sequence that caused the event. */
export type ScreenEvent = { position: number } & (
  | ({ type: 'mark' } & ShellMark)
  | { type: 'mode'; mode: ModeName; on: boolean }
  | { type: 'title'; title: string }
  | { type: 'cwd'; cwd: string }
  | ({ type: 'progress' } & Progress)
  | { type: 'bell' }
);

/** `A`, `B;k=v`, `D;1`. Anything else is not a mark. */
export function parseShellMark(data: string): ShellMark | undefined {
  const [letter, ...fields] = data.split(';');
  switch (letter) {
    case 'A':
      return { mark: 'prompt' };
    case 'B':
      return { mark: 'input' };
    case 'C':
      return { mark: 'output' };
    case 'D': {
      const code = fields[0] ?? '';
      return { mark: 'done', exitCode: /^\d{1,10}$/.test(code) ? Number(code) : undefined };
    }
    default:
      return undefined;
  }
}

/** `file://host/path`, percent-encoded. The host is not looked at: ssh tells of another machine. */
export function parseCwd(data: string): string | undefined {
  const path = /^file:\/\/[^/]*(\/.*)$/s.exec(data)?.[1];
  if (path === undefined) return undefined;
  try {
    return decodeURIComponent(path);
  } catch {
    // Some shells do not encode, and a bare "%" is then part of a name.
    return path;
  }
}

const progressStates = ['none', 'normal', 'error', 'indeterminate', 'paused'] as const;

/** `4;1;30`: 30 percent. Other uses of OSC 9 are desktop notifications. */
export function parseProgress(data: string): Progress | undefined {
  const [, stateDigit, percentDigits] = /^4;([0-4])(?:;(\d{1,3}))?;?$/.exec(data) ?? [];
  if (stateDigit === undefined) return undefined;
  const state = progressStates[Number(stateDigit)]!;
  const knowsPercent = percentDigits !== undefined && state !== 'none' && state !== 'indeterminate';
  return knowsPercent ? { state, percent: Math.min(100, Number(percentDigits)) } : { state };
}
