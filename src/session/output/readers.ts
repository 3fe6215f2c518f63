/** Who reads a session, each with a position of its own. */
import type { Screen } from '../../screen/screen.ts';
import { fitToBudget, type Omitted, tokensOf, type ViewLine } from '../../views/budget.ts';
import { ScreenReader } from '../../views/diff.ts';
import { Pattern } from '../../views/pattern.ts';
import { rawFrom } from '../../views/raw.ts';
import type { ScreenView } from '../../views/screen.ts';
import { searchLines, searchResultLines } from '../../views/search.ts';
import { type OutputSpan, TextReader, type TextView, textFrom } from '../../views/text.ts';
import { AGENT, type ViewName } from '../options/options.ts';
import type { ScreenFacts } from '../sessions.ts';
import { CarriedLines } from './carried-lines.ts';

export interface ReadRequest {
  view: ViewName;
  from?: number;
  advance?: boolean;
  search?: string;
  maxTokens: number;
}

/** A view as a result gives it. */
export interface ReadResult {
  output: string;
  continues?: true;
  omitted?: Omitted;
  position: number;
  screen?: ScreenFacts;
}

/** Without the secrets that its text may hold. */
export const maskReadResult = (result: ReadResult, mask: (text: string) => string): ReadResult => ({
  ...result,
  output: mask(result.output),
  ...(result.screen && {
    screen: {
      ...result.screen,
      title: mask(result.screen.title),
      marked: result.screen.marked.map((mark) => ({ ...mark, text: mask(mark.text) })),
    },
  }),
});

/** Whoever makes up a new name for each read gets a new reader, and the oldest goes. */
const MAX_READERS = 64;

/** The readers of one session, by name. */
export class Readers {
  readonly #screen: Screen;
  /** In the order of use. */
  readonly #readers = new Map<string, SessionReader>();

  constructor(screen: Screen) {
    this.#screen = screen;
    // From the start, so that a flood leaves the beginning of what this reader has not read.
    this.get(AGENT);
  }

  get(name: string): SessionReader {
    const reader = this.#readers.get(name) ?? new SessionReader(this.#screen);
    this.#readers.delete(name);
    this.#readers.set(name, reader);
    if (this.#readers.size > MAX_READERS) this.#forgetOldest();
    return reader;
  }

  close(): void {
    for (const reader of this.#readers.values()) reader.close();
  }

  #forgetOldest(): void {
    const oldest = [...this.#readers.keys()].find((name) => name !== AGENT)!;
    this.#readers.get(oldest)!.close();
    this.#readers.delete(oldest);
  }
}

/** A reader of one session. */
export class SessionReader {
  readonly #screen: Screen;
  readonly #text: TextReader;
  readonly #onScreen: ScreenReader;
  readonly #carried = new CarriedLines();
  #rawPosition = 0;

  constructor(screen: Screen) {
    this.#screen = screen;
    this.#text = new TextReader(screen);
    this.#onScreen = new ScreenReader(screen);
  }

  get position(): number {
    return this.#text.position;
  }

  async read(request: ReadRequest, hidden: readonly OutputSpan[]): Promise<ReadResult> {
    if (request.search !== undefined) return this.#search(request.search, request);
    if (request.view === 'screen') return this.#screenView(request);
    if (request.view === 'diff') return this.#diff(request);
    if (request.view === 'raw') return this.#raw(request);
    return this.#textView(request, hidden);
  }

  /** What is unread is for the next read, though what comes now is given in another way. */
  carryOver(hidden: readonly OutputSpan[]): void {
    this.#carried.add(this.#text.read(hidden));
  }

  /** All text so far is read, whatever becomes of it, but for these lines. */
  skip(hidden: readonly OutputSpan[], except: readonly ViewLine[] = []): void {
    this.#text.skip(hidden);
    this.#carried.add({ lines: except });
  }

  close(): void {
    this.#text.close();
  }

  #textView({ from, advance, maxTokens }: ReadRequest, hidden: readonly OutputSpan[]): ReadResult {
    // A full-screen program says nothing that scrolls by: its screen is what it says.
    if (from === undefined && this.#screen.modes.alternateScreen) {
      const earlier = this.#carried.prependTo(this.#text.read(hidden));
      return this.#screenView({ view: 'screen', maxTokens }, earlier);
    }
    const view =
      from === undefined
        ? this.#carried.prependTo(this.#text.read(hidden))
        : textFrom(this.#screen, from, hidden);
    // In the same turn: output comes between two, and would be in neither or in both.
    if (from !== undefined && advance) this.skip(hidden);
    return {
      ...fitToBudget(view.lines, maxTokens, view.gone),
      ...(view.continues && { continues: true }),
      position: view.position,
    };
  }

  /** `said`: what was said before the program took the whole screen. */
  #screenView(
    { maxTokens }: ReadRequest,
    { lines: earlier, gone }: Pick<TextView, 'lines' | 'gone'> = { lines: [] },
  ): ReadResult {
    const view = this.#onScreen.read();
    const { position } = view;
    const rows = view.lines.map((text) => ({ position, text }));
    const hint = `read the screen with ${tokensOf(rows)} tokens`;
    const fitted = fitToBudget([...earlier, ...rows], maxTokens, gone, {
      first: earlier.length,
      hint,
    });
    return { ...fitted, position, screen: factsOf(view) };
  }

  #diff({ maxTokens }: ReadRequest): ReadResult {
    const view = this.#onScreen.diff();
    const lines = view.changed.map(({ row, text }) => ({
      position: view.position,
      text: `${row + 1}: ${text}`,
    }));
    const { position } = view;
    // What is new now is not new at the next look.
    const rows = { first: 0, hint: 'read the screen' };
    return { ...fitToBudget(lines, maxTokens, undefined, rows), position, screen: factsOf(view) };
  }

  #raw({ from, maxTokens }: ReadRequest): ReadResult {
    const view = rawFrom(this.#screen, from ?? this.#rawPosition);
    if (from === undefined) this.#rawPosition = view.position;
    return { ...fitToBudget(view.lines, maxTokens, view.gone), position: view.position };
  }

  async #search(source: string, { from = 0, maxTokens }: ReadRequest): Promise<ReadResult> {
    const pattern = await Pattern.compile(source);
    const first = this.#screen.lineAt(from);
    const searched = [...this.#screen.lines(first)];
    const found = searchLines(searched, pattern);
    const { position } = this.#screen;
    const lines = searchResultLines(found);
    const more = found.matches - found.shown;
    if (more > 0) lines.push({ position, text: `[${more} more lines match]` });
    const gone = searched.reduce((sum, { lost }) => sum + (lost?.lines ?? 0), 0);
    const vain = found.matches === 0 ? 'nothing that is kept matches; ' : '';
    if (gone > 0)
      lines.push({ position, text: `[${vain}${gone} lines are gone, and were not searched]` });
    return { ...fitToBudget(lines, maxTokens), position };
  }
}

/** Rows and columns as a person counts them, and as `Click(col,row)` takes them: from 1. */
const factsOf = ({
  cursor,
  cols,
  rows,
  title,
  marked,
}: Omit<ScreenView, 'lines' | 'alternate' | 'position'>): ScreenFacts => ({
  cursor: { ...cursor, col: cursor.col + 1, row: cursor.row + 1 },
  cols,
  rows,
  title,
  marked: marked.map((mark) => ({ ...mark, row: mark.row + 1, col: mark.col + 1 })),
});
