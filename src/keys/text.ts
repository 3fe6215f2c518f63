/**
 * Text as it is typed.
 *
 * One line is typed as it is, control characters and all: pasted, ":wq" would land in vi's text.
 * But typed to a line editor, a tab is the key that completes: there a line with one is pasted.
 * Several lines go as one paste where the program asked for pastes to be marked, so that no line
 * is run, indented or completed before the last is there; elsewhere as lines with Enter between.
 */
import type { InputModes, InputWrite } from './input.ts';

export interface TextModes extends Pick<InputModes, 'bracketedPaste'> {
  /** To a program that fills the screen, a line is a command as often as it is text. */
  alternateScreen: boolean;
}

export interface TextOptions {
  /** Press Enter after the text. A newline at its end is that same Enter, never a second one. */
  submit: boolean;
  /** One line is pasted too, where that is possible: a line editor then takes it as it is. */
  paste?: boolean;
}

const enter: InputWrite = { kind: 'enter', bytes: Buffer.from('\r') };

export function encodeText(
  text: string,
  modes: TextModes,
  { submit, paste: wantsPaste = false }: TextOptions,
): InputWrite[] {
  const lines = text.split(/\r\n|\r|\n/);
  const ended = lines.length > 1 && lines.at(-1) === '';
  if (ended) lines.pop();

  const hasTab = !modes.alternateScreen && isTabbed(text);
  const isPasted = modes.bracketedPaste && (lines.length > 1 || wantsPaste || hasTab);
  const typed = isPasted ? [paste(lines)] : lines.flatMap(typeLine);
  return submit || ended ? [...typed, enter] : typed;
}

/** Whoever gives other control characters as well means them as keys, which no paste would press. */
const isTabbed = (text: string): boolean => text.includes('\t') && inert(text) === text;

function typeLine(line: string, index: number): InputWrite[] {
  const typed: InputWrite[] = line === '' ? [] : [{ kind: 'text', bytes: Buffer.from(line) }];
  return index === 0 ? typed : [enter, ...typed];
}

/** Terminals send the line ends of a paste as they send Enter, and readers expect it so. */
function paste(lines: readonly string[]): InputWrite {
  return { kind: 'paste', bytes: Buffer.from(`\x1b[200~${lines.map(inert).join('\r')}\x1b[201~`) };
}

/**
 * A paste is text, so a control character in it must not act: ESC could end the paste and go on as
 * typing, and the kernel makes a signal of ^C even there. Each is replaced by its picture (␛, ␃).
 */
function inert(line: string): string {
  return line.replaceAll(/[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]/g, (control) =>
    control === '\x7f' ? '\u2421' : String.fromCharCode(0x2400 + control.charCodeAt(0)),
  );
}
