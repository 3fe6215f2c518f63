/** What a shell would make of a text, as far as that can be known before it runs. */

export interface Word {
  text: string;
  /** Up to here the text holds something that only the shell can expand. */
  unknownUntil: number;
}

export interface SimpleCommand {
  words: Word[];
  /** `> file`, after the words. */
  redirections: string[];
  /** What it gets as its input, if that is written in the script. */
  hereDocument?: string;
}

export interface ShellScript {
  /** Also those inside substitutions, subshells and bodies of functions. */
  pipelines: SimpleCommand[][];
  /** The shell waits for the rest: of a quote, a here-document, or after a backslash. */
  isUnfinished: boolean;
  /** The shell of a person would put something from its history here. */
  usesHistory: boolean;
}

export const knownWord = (text: string): Word => ({ text, unknownUntil: 0 });
