/** The style in which text is printed, followed from one SGR sequence to the next by the emulator. */
import { isConcealed } from './concealed.ts';
import { type Attributes, openXterm, type Xterm } from './xterm.ts';

const COLOUR_MODE = 0x3000000;
const RGB_MODE = 0x3000000;
const BOLD = 1 << 27;
const INVISIBLE = 1 << 30;

/** A sequence that sets what decides whether text can be seen. Empty if that is the default. */
export const sgrOf = ({ fg, bg }: Pick<Attributes, 'fg' | 'bg'>): string => {
  const parameters = [
    ...((fg & BOLD) !== 0 ? ['1'] : []),
    ...((fg & INVISIBLE) !== 0 ? ['8'] : []),
    ...colourParameters(fg, 38),
    ...colourParameters(bg, 48),
  ];
  return parameters.length === 0 ? '' : `\x1b[${parameters.join(';')}m`;
};

const colourParameters = (word: number, code: 38 | 48): string[] => {
  if ((word & COLOUR_MODE) === 0) return [];
  if ((word & COLOUR_MODE) !== RGB_MODE) return [`${code};5;${word & 0xff}`];
  return [`${code};2;${(word >> 16) & 0xff};${(word >> 8) & 0xff};${word & 0xff}`];
};

export class StyleInForce {
  readonly #xterm: Xterm = openXterm(2, 1);

  constructor(sgr: string) {
    this.take(sgr);
  }

  /** Follows one or several SGR sequences. */
  take(sgr: string): void {
    if (sgr !== '') this.#xterm.core._inputHandler.parse(Buffer.from(sgr));
  }

  get isConcealed(): boolean {
    const { fg, bg } = this.#xterm.core._inputHandler._curAttrData;
    return isConcealed(fg, bg);
  }

  get sgr(): string {
    return sgrOf(this.#xterm.core._inputHandler._curAttrData);
  }

  dispose(): void {
    this.#xterm.terminal.dispose();
  }
}
