/** What a program tells its terminal besides what it draws, as data. */

/**
 * Shell marks: FinalTerm's OSC 133 and VS Code's OSC 633, which agree on these four.
 * `prompt`: a prompt begins. `input`: it ends, the user types. `output`: the command was accepted
 * and runs. `done`: it ended, with this exit code if the shell said so.
 * `aid` tells whose mark it is: every program can print marks, and a shell within a shell does.
 */
export type ShellMark = { aid?: string } & (
  | { mark: 'prompt' }
  /** `next`: output has ended, and that of the next of several lines has yet to begin. */
  | { mark: 'output'; next?: true }
  | { mark: 'input'; exitCode?: number }
  | { mark: 'done'; exitCode: number | undefined }
);

/** The mark typed around a command for a shell that has none of its own. */
export interface TypedMark {
  key: string;
  /**
   * `begin`: the command's output begins. `end`: it ended, in this folder, with this exit code.
   * `dropped`: printed by fish, with the key of its own marks, when the line in its editor is dropped.
   */
  typed: 'begin' | 'end' | 'dropped';
  exitCode?: number;
  cwd?: string;
}

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
  | ({ type: 'typed-mark' } & TypedMark)
  | { type: 'mode'; mode: ModeName; on: boolean }
  | { type: 'title'; title: string }
  | { type: 'cwd'; cwd: string }
  | ({ type: 'progress' } & Progress)
  | { type: 'bell' }
);

/** `A`, `B;k=v`, `D;1`. Anything else is not a mark. */
export function parseShellMark(data: string): ShellMark | undefined {
  const [letter, ...fields] = data.split(';');
  const named = (name: string) =>
    fields.find((field) => field.startsWith(`${name}=`))?.slice(name.length + 1);
  const aid = named('aid');
  const whose = aid === undefined ? {} : { aid };
  switch (letter) {
    case 'A':
      return { mark: 'prompt', ...whose };
    case 'B': {
      const exitCode = parseCode(named('exit'));
      return { mark: 'input', ...whose, ...(exitCode !== undefined && { exitCode }) };
    }
    case 'C':
      return { mark: 'output', ...whose, ...(fields.includes('next') && { next: true }) };
    case 'D':
      return { mark: 'done', exitCode: parseCode(fields[0]), ...whose };
    default:
      return undefined;
  }
}

const parseCode = (digits = ''): number | undefined =>
  /^\d{1,10}$/.test(digits) ? Number(digits) : undefined;

/**
 * `KEY;begin`, `KEY;dropped`, `KEY;end;CODE;/folder`. The folder comes last, since a name may contain
 * `;`.
 */
export function parseTypedMark(data: string): TypedMark | undefined {
  const [, key, typed, digits, cwd] =
    /^([\w-]{1,64});(begin|end|dropped)(?:;(\d*);(.*))?$/s.exec(data) ?? [];
  if (key === undefined) return undefined;
  const exitCode = parseCode(digits);
  return {
    key,
    typed: typed as TypedMark['typed'],
    ...(exitCode !== undefined && { exitCode }),
    ...(cwd && { cwd }),
  };
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
