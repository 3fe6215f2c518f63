/** A terminal on the page: xterm.js, with what a person needs around it. */
import { FitAddon } from '@xterm/addon-fit';
import { SearchAddon } from '@xterm/addon-search';
import { UnicodeGraphemesAddon } from '@xterm/addon-unicode-graphemes';
import { WebLinksAddon } from '@xterm/addon-web-links';
import { WebglAddon } from '@xterm/addon-webgl';
import { Terminal } from '@xterm/xterm';
import { onColorScheme, terminalTheme } from './colors.ts';
import { isReadAloud } from './screen-reader.ts';

const LARGEST_FONT = 14;
/** Smaller cannot be read; then the pane scrolls. */
const SMALLEST_FONT = 8;
const FONTS = 'ui-monospace, "DejaVu Sans Mono", "Liberation Mono", Menlo, Consolas, monospace';

export class TerminalPane {
  readonly terminal: Terminal;
  readonly #element: HTMLElement;
  readonly #fit = new FitAddon();
  readonly #search = new SearchAddon();
  readonly #stopColors: () => void;
  readonly #observer: ResizeObserver;
  /** The session has the size of the pane, and not the pane the font that fits. */
  #hasOwnSize = false;
  onRoom: () => void = () => {};

  constructor(element: HTMLElement, label: string) {
    this.#element = element;
    this.terminal = new Terminal({
      ...{ allowProposedApi: true, disableStdin: true, convertEol: false, scrollback: 10_000 },
      ...{ fontFamily: FONTS, fontSize: LARGEST_FONT, lineHeight: 1.1, cursorBlink: false },
      ...{ theme: terminalTheme(), minimumContrastRatio: 4.5, macOptionIsMeta: true },
      // Links of OSC 8: of http and https alone.
      linkHandler: { activate: (_event, uri) => openLink(uri) },
      screenReaderMode: isReadAloud(),
    });
    this.terminal.loadAddon(this.#fit);
    this.terminal.loadAddon(this.#search);
    this.terminal.loadAddon(new UnicodeGraphemesAddon());
    this.terminal.loadAddon(new WebLinksAddon((_event, uri) => openLink(uri)));
    this.terminal.open(element);
    this.#useWebgl();
    this.terminal.textarea?.setAttribute('aria-label', label);
    this.#stopColors = onColorScheme(() => {
      this.terminal.options.theme = terminalTheme();
    });
    this.#observer = new ResizeObserver(() => this.#onRoom());
    this.#observer.observe(element);
  }

  /** What fits into the pane in the largest font. Undefined while the pane is not shown. */
  get roomySize(): { cols: number; rows: number } | undefined {
    this.terminal.options.fontSize = LARGEST_FONT;
    const size = this.#fit.proposeDimensions();
    return size && Number.isFinite(size.cols) && size.cols > 1
      ? { cols: Math.max(2, size.cols), rows: Math.max(2, size.rows) }
      : undefined;
  }

  setOwnSize(hasOwnSize: boolean): void {
    this.#hasOwnSize = hasOwnSize;
    this.#onRoom();
  }

  setScreenReader(isOn: boolean): void {
    this.terminal.options.screenReaderMode = isOn;
  }

  /** Shows a screen of this size in place of what was there. */
  show(dump: string, cols: number, rows: number, onShown: () => void): void {
    this.terminal.reset();
    this.resize(cols, rows);
    this.terminal.write(dump, onShown);
  }

  resize(cols: number, rows: number): void {
    this.terminal.resize(Math.max(2, cols), Math.max(1, rows));
    this.#shrinkFont();
  }

  find(text: string, direction: 'next' | 'previous'): boolean {
    if (text === '') {
      this.#search.clearDecorations();
      return true;
    }
    const options = { decorations: searchColors };
    return direction === 'next'
      ? this.#search.findNext(text, options)
      : this.#search.findPrevious(text, options);
  }

  stopFinding(): void {
    this.#search.clearDecorations();
    this.terminal.clearSelection();
  }

  dispose(): void {
    this.#observer.disconnect();
    this.#stopColors();
    this.terminal.dispose();
  }

  #onRoom(): void {
    if (this.#hasOwnSize) this.onRoom();
    this.#shrinkFont();
  }

  /** The largest font in which the session's screen fits into the pane. */
  #shrinkFont(): void {
    const { clientWidth, clientHeight } = this.#element;
    if (clientWidth === 0) return;
    const { options, cols, rows } = this.terminal;
    if (this.#hasOwnSize) {
      options.fontSize = LARGEST_FONT;
      return;
    }
    const screen = this.#element.querySelector<HTMLElement>('.xterm-screen');
    const font = options.fontSize ?? LARGEST_FONT;
    if (screen === null || screen.offsetWidth === 0) return;
    const perCol = screen.offsetWidth / cols / font;
    const perRow = screen.offsetHeight / rows / font;
    const fitting = Math.min((clientWidth - 16) / (cols * perCol), clientHeight / (rows * perRow));
    const size = Math.max(SMALLEST_FONT, Math.min(LARGEST_FONT, Math.floor(fitting * 2) / 2));
    if (size !== font) options.fontSize = size;
  }

  /** Without it, or when the browser takes its context away, xterm draws with elements. */
  #useWebgl(): void {
    try {
      const webgl = new WebglAddon();
      webgl.onContextLoss(() => webgl.dispose());
      this.terminal.loadAddon(webgl);
    } catch {
      // This browser has none.
    }
  }
}

const searchColors = {
  matchBackground: '#e8c35a',
  matchOverviewRuler: '#e8c35a',
  activeMatchBackground: '#f08a3c',
  activeMatchColorOverviewRuler: '#f08a3c',
};

/** A program chooses it: nothing but the web may be opened, in a tab that knows nothing of this one. */
export const openLink = (uri: string): void => {
  let url: URL;
  try {
    url = new URL(uri);
  } catch {
    return;
  }
  if (url.protocol === 'http:' || url.protocol === 'https:')
    window.open(url.href, '_blank', 'noopener,noreferrer');
};
