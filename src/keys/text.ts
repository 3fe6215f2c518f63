/**
 * Encodes text as writes to the terminal.
 *
 * One line is typed as it is, with its control characters: if it were pasted, ":wq" would become
 * part of the text in vi. But a line editor completes at a tab, so a line with a tab is pasted
 * there. Several lines are one paste if the program has switched on bracketed paste, so that no
 * line is run, indented or completed before the last has arrived. Otherwise they are typed with
 * Enter between them.
 */
import { controlPicture } from '../plain-text.ts';
import type { InputWrite, KeyInputModes } from './input-writes.ts';

export interface TextInputModes extends Pick<KeyInputModes, 'bracketedPaste'> {
  /** In a full-screen program a line is a command as often as it is text. */
  alternateScreen: boolean;
}

export interface TextInputOptions {
  /** Press Enter after the text. A newline at its end is that Enter, not a second one. */
  submit: boolean;
  /** Paste one line too, if the program accepts pastes: a line editor then takes it literally. */
  paste?: boolean;
  /** The program that reads, as far as it is known. */
  program?: string | undefined;
}

const enter: InputWrite = { kind: 'enter', bytes: Buffer.from('\r') };

export function encodeText(
  text: string,
  modes: TextInputModes,
  { submit, paste: wantsPaste = false, program }: TextInputOptions,
): InputWrite[] {
  const lines = text.split(/\r\n|\r|\n/);
  const endsInNewline = lines.length > 1 && lines.at(-1) === '';
  if (endsInNewline) lines.pop();

  const hasTab = !modes.alternateScreen && hasOnlyTabControls(text);
  const isPasted = modes.bracketedPaste && (lines.length > 1 || wantsPaste || hasTab);
  const typed = isPasted ? [paste(lines, pasteLineEnd(program))] : lines.flatMap(typeLine);
  return submit || endsInNewline ? [...typed, enter] : typed;
}

/** Other control characters in the text are meant as keys, and a paste would not press them. */
const hasOnlyTabControls = (text: string): boolean =>
  text.includes('\t') && showControls(text) === text;

function typeLine(line: string, index: number): InputWrite[] {
  const typed: InputWrite[] = line === '' ? [] : [{ kind: 'text', bytes: Buffer.from(line) }];
  return index === 0 ? typed : [enter, ...typed];
}

/**
 * Terminals send the line ends of a paste as CR, like Enter, and programs expect that. For each CR fish runs
 * a command that draws the whole paste again: 600 lines take it 12 s, and with LF one.
 */
const pasteLineEnd = (program: string | undefined): string => (program === 'fish' ? '\n' : '\r');

function paste(lines: readonly string[], lineEnd: string): InputWrite {
  return {
    kind: 'paste',
    bytes: Buffer.from(`\x1b[200~${lines.map(showControls).join(lineEnd)}\x1b[201~`),
  };
}

/**
 * Replaces control characters by their pictures (␛, ␃), because a paste is text: ESC could end the
 * paste early, so that the rest is taken as typed, and the kernel turns ^C into a signal even
 * there.
 */
function showControls(line: string): string {
  return line.replaceAll(/[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]/g, controlPicture);
}
