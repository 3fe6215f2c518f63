/** The events that a program's output can cause, and the parsers of their sequences. */

/**
 * Shell marks: FinalTerm's OSC 133 and VS Code's OSC 633, which agree on these four.
 * `prompt`: a prompt begins. `input`: it ends, the user types. `output`: the command was accepted
 * and runs. `done`: it ended, with this exit code if the mark has one.
 * `aid` identifies the shell: every program can print marks, and a shell within a shell does.
 */
export type ShellMark = { aid?: string } & (
  | { mark: 'prompt' }
  /** `next`: one of several typed lines has ended, and the output of the next has not begun yet. */
  | { mark: 'output'; next?: true }
  /** `begun`: the shell itself has put text into the line. `unseen`: the end was not marked, either. */
  | { mark: 'input'; exitCode?: number; begun?: true; unseen?: true }
  /**
   * `sign`: zsh has printed its sign for a missing line end, and a mark before it.
   * `unseen`: the hook that marks the start of a command was not called, and perhaps one was run.
   */
  | { mark: 'done'; exitCode: number | undefined; sign?: true; unseen?: true }
);

/** A mark from the commands we type around a command, for a shell without marks of its own. */
export interface TypedMark {
  key: string;
  /**
   * `begin`: the command's output begins. `end`: it ended, in this folder, with this exit code.
   * `dropped`: printed by fish, with the key of its own marks, when the line in its editor is dropped.
   * `sign`: printed by zsh, without a key, before the sign for a missing line end.
   */
  typed: 'begin' | 'end' | 'dropped' | 'sign';
  exitCode?: number;
  cwd?: string;
}

/** ConEmu's OSC 9;4. `percent` is absent if the program does not know it. */
export interface ProgressReport {
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
  | ({ type: 'progress' } & ProgressReport)
  | { type: 'bell' }
);

/** `A`, `B;k=v`, `D;1`. Anything else is not a mark. */
export function parseShellMark(data: string): ShellMark | undefined {
  const [letter, ...fields] = data.split(';');
  const fieldValue = (name: string) =>
    fields.find((field) => field.startsWith(`${name}=`))?.slice(name.length + 1);
  const aid = fieldValue('aid');
  const aidField = aid === undefined ? {} : { aid };
  const unseen = fields.includes('unseen') && { unseen: true as const };
  switch (letter) {
    case 'A':
      return { mark: 'prompt', ...aidField };
    case 'B': {
      const exitCode = parseCode(fieldValue('exit'));
      const begun = fields.includes('begun') && { begun: true as const };
      const code = exitCode !== undefined && { exitCode };
      return { mark: 'input', ...aidField, ...code, ...begun, ...unseen };
    }
    case 'C':
      return { mark: 'output', ...aidField, ...(fields.includes('next') && { next: true }) };
    case 'D': {
      const sign = fields.includes('sign') && { sign: true as const };
      return { mark: 'done', exitCode: parseCode(fields[0]), ...aidField, ...sign, ...unseen };
    }
    default:
      return undefined;
  }
}

const parseCode = (digits = ''): number | undefined =>
  /^\d{1,10}$/.test(digits) ? Number(digits) : undefined;

/**
 * `KEY;begin`, `KEY;dropped`, `zsh;sign`, `KEY;end;CODE;/folder`. The folder comes last, since a name may contain
 * `;`.
 */
export function parseTypedMark(data: string): TypedMark | undefined {
  const [, key, typed, digits, cwd] =
    /^([\w-]{1,64});(begin|end|dropped|sign)(?:;(\d*);(.*))?$/s.exec(data) ?? [];
  if (key === undefined) return undefined;
  const exitCode = parseCode(digits);
  return {
    key,
    typed: typed as TypedMark['typed'],
    ...(exitCode !== undefined && { exitCode }),
    ...(cwd && { cwd }),
  };
}

/** `file://host/path`, percent-encoded. The host is ignored; over ssh it is another machine. */
export function parseCwd(data: string): string | undefined {
  const path = /^file:\/\/[^/]*(\/.*)$/s.exec(data)?.[1];
  if (path === undefined) return undefined;
  try {
    return decodeURIComponent(path);
  } catch {
    // Some shells do not encode the path. Then a bare "%" is part of a name.
    return path;
  }
}

const progressStates = ['none', 'normal', 'error', 'indeterminate', 'paused'] as const;

/** `4;1;30`: 30 percent. Other uses of OSC 9 are desktop notifications. */
export function parseProgress(data: string): ProgressReport | undefined {
  const [, stateDigit, percentDigits] = /^4;([0-4])(?:;(\d{1,3}))?;?$/.exec(data) ?? [];
  if (stateDigit === undefined) return undefined;
  const state = progressStates[Number(stateDigit)]!;
  const knowsPercent = percentDigits !== undefined && state !== 'none' && state !== 'indeterminate';
  return knowsPercent ? { state, percent: Math.min(100, Number(percentDigits)) } : { state };
}
