/** The readers of a session, each with its own position. */
import type { Screen } from '../../screen/screen.ts';
import {
  budgetBytes,
  estimateTokens,
  fitToBudget,
  type Omitted,
  type ViewLine,
} from '../../views/budget.ts';
import { Pattern } from '../../views/pattern.ts';
import { makeScreenPicture, maskPicture, type ScreenPicture } from '../../views/picture.ts';
import { rawViewFrom } from '../../views/raw.ts';
import type { ScreenView } from '../../views/screen.ts';
import { ScreenViewReader } from '../../views/screen-diff.ts';
import { searchLines, searchResultLines } from '../../views/search.ts';
import { type OutputSpan, type TextView, TextViewReader, textViewFrom } from '../../views/text.ts';
import { DEFAULT_ACTOR, type ViewName } from '../options/options.ts';
import type { MaskedOutput } from '../secrets/masked-output.ts';
import type { ScreenFacts } from '../sessions.ts';
import type { ReaderSnapshot } from '../snapshot/session-snapshot.ts';
import { UnreadBeforeRun } from './unread-before-run.ts';

export interface ReadRequest {
  view: ViewName;
  from?: number;
  advance?: boolean;
  search?: string;
  maxTokens: number;
}

/** Whether the reader goes on from another place afterwards. */
export const changesReader = ({ from, advance, search }: ReadRequest): boolean =>
  search === undefined && (from === undefined || advance === true);

/** The part of a result that comes from a view. */
export interface ReadResult {
  output: string;
  continues?: true;
  omitted?: Omitted;
  hidden?: number;
  position: number;
  screen?: ScreenFacts;
  picture?: ScreenPicture;
}

/** Masks secrets in all text of the result. */
export const maskReadResult = (
  result: ReadResult,
  masking: Pick<MaskedOutput, 'inText'>,
): ReadResult => ({
  ...result,
  output: masking.inText(result.output),
  ...(result.screen && {
    screen: {
      ...result.screen,
      title: masking.inText(result.screen.title),
      marked: result.screen.marked.map((mark) => ({ ...mark, text: masking.inText(mark.text) })),
    },
  }),
  ...(result.picture && {
    picture: maskPicture(result.picture, (text) => masking.inText(text)),
  }),
});

/** A caller may use a new name for each read. Beyond this number, the oldest reader is dropped. */
const MAX_READERS = 64;

/** The readers of one session, by name. */
export class SessionReaders {
  readonly #screen: Screen;
  /** The longest unused first. */
  readonly #readers = new Map<string, SessionReader>();

  constructor(screen: Screen) {
    this.#screen = screen;
    // Created at the start, so that the history keeps the beginning of its unread output in a flood.
    this.get(DEFAULT_ACTOR);
  }

  get(name: string): SessionReader {
    const reader = this.#readers.get(name) ?? new SessionReader(this.#screen);
    this.#readers.delete(name);
    this.#readers.set(name, reader);
    if (this.#readers.size > MAX_READERS) this.#dropOldest();
    return reader;
  }

  snapshot(): ReaderSnapshot[] {
    return [...this.#readers].map(([name, reader]) => ({ name, ...reader.snapshot() }));
  }

  restore(readers: readonly ReaderSnapshot[]): void {
    for (const { name, ...reader } of readers) this.get(name).restore(reader);
  }

  close(): void {
    for (const reader of this.#readers.values()) reader.close();
  }

  #dropOldest(): void {
    const oldest = [...this.#readers.keys()].find((name) => name !== DEFAULT_ACTOR)!;
    this.#readers.get(oldest)!.close();
    this.#readers.delete(oldest);
  }
}

/** A reader of one session. */
export class SessionReader {
  readonly #screen: Screen;
  readonly #text: TextViewReader;
  readonly #screenReader: ScreenViewReader;
  readonly #carried = new UnreadBeforeRun();
  #rawPosition = 0;

  constructor(screen: Screen) {
    this.#screen = screen;
    this.#text = new TextViewReader(screen);
    this.#screenReader = new ScreenViewReader(screen);
  }

  get position(): number {
    return this.#text.position;
  }

  async read(request: ReadRequest, hidden: readonly OutputSpan[]): Promise<ReadResult> {
    if (request.search !== undefined) return this.#search(request.search, request);
    if (request.view === 'screen') return this.#screenView(request);
    if (request.view === 'image') return this.#image(request);
    if (request.view === 'diff') return this.#diff(request);
    if (request.view === 'raw') return this.#raw(request);
    return this.#textView(request, hidden);
  }

  /** Keeps all unread lines for the next read, because the output from now on is returned by `run`. */
  carryOver(hidden: readonly OutputSpan[]): void {
    this.#carried.add(this.#text.read(hidden));
  }

  /** Marks all text so far as read, except these lines. */
  skip(hidden: readonly OutputSpan[], except: readonly ViewLine[] = []): void {
    this.#text.skip(hidden);
    this.#carried.add({ lines: except });
  }

  snapshot(): Omit<ReaderSnapshot, 'name'> {
    const { seen } = this.#screenReader;
    return {
      text: this.#text.snapshot(),
      rawPosition: this.#rawPosition,
      ...(seen && { screen: seen }),
      carried: this.#carried.snapshot(),
    };
  }

  restore({ text, rawPosition, screen, carried }: Omit<ReaderSnapshot, 'name'>): void {
    this.#text.restore(text);
    this.#rawPosition = rawPosition;
    if (screen !== undefined) this.#screenReader.restore(screen);
    this.#carried.restore(carried);
  }

  close(): void {
    this.#text.close();
  }

  #textView({ from, advance, maxTokens }: ReadRequest, hidden: readonly OutputSpan[]): ReadResult {
    // The output of a full-screen program is its screen.
    if (from === undefined && this.#screen.modes.alternateScreen) {
      const earlier = this.#carried.prependTo(this.#text.read(hidden));
      return this.#screenView({ view: 'screen', maxTokens }, earlier);
    }
    const view =
      from === undefined
        ? this.#carried.prependTo(this.#text.read(hidden))
        : textViewFrom(this.#screen, from, hidden);
    // In the same turn: output that comes between two turns would be lost, or returned twice.
    if (from !== undefined && advance) this.skip(hidden);
    return {
      ...fitToBudget(view.lines, maxTokens, view.gone),
      ...(view.continues && { continues: true }),
      ...hiddenField(view.hidden),
      position: view.position,
    };
  }

  /** The second parameter: the text before the program took the whole screen. */
  #screenView(
    { maxTokens }: ReadRequest,
    { lines: earlier, gone, hidden = 0 }: Pick<TextView, 'lines' | 'gone' | 'hidden'> = {
      lines: [],
    },
  ): ReadResult {
    const view = this.#screenReader.read();
    const { position } = view;
    const rows = view.lines.map((text) => ({ position, text }));
    const hint = `read the screen with ${estimateTokens(rows)} tokens`;
    const fitted = fitToBudget([...earlier, ...rows], maxTokens, gone, {
      first: earlier.length,
      hint,
    });
    return {
      ...fitted,
      ...hiddenField(hidden + sumOf(view.hidden)),
      position,
      screen: factsOf(view),
    };
  }

  #image(request: ReadRequest): ReadResult {
    const result = this.#screenView(request);
    const picture = makeScreenPicture(this.#screen);
    return { ...result, ...(picture && { picture }) };
  }

  #diff({ maxTokens }: ReadRequest): ReadResult {
    const view = this.#screenReader.diff();
    const lines = view.changed.map(({ row, text }) => ({
      position: view.position,
      text: `${row + 1}: ${text}`,
    }));
    const { position } = view;
    // Cut rows cannot be read by another diff: they are no longer new.
    const rows = { first: 0, hint: 'read the screen' };
    return {
      ...fitToBudget(lines, maxTokens, undefined, rows),
      ...hiddenField(sumOf(view.hidden)),
      position,
      screen: factsOf(view),
    };
  }

  #raw({ from, maxTokens }: ReadRequest): ReadResult {
    const view = rawViewFrom(this.#screen, from ?? this.#rawPosition, budgetBytes(maxTokens));
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
    const noMatch = found.matches === 0 ? 'nothing that is kept matches; ' : '';
    if (gone > 0)
      lines.push({ position, text: `[${noMatch}${gone} lines are gone, and were not searched]` });
    const shown = new Set(found.lines.map(({ line }) => line));
    const hidden = this.#screen.mayHide
      ? sumOf(searched.map(({ line, hidden = 0 }) => (shown.has(line) ? hidden : 0)))
      : 0;
    return { ...fitToBudget(lines, maxTokens), ...hiddenField(hidden), position };
  }
}

const hiddenField = (hidden = 0) => hidden > 0 && { hidden };

const sumOf = (numbers: readonly number[]): number =>
  numbers.reduce((sum, number) => sum + number, 0);

/** Rows and columns count from 1, as `Click(col,row)` takes them. */
const factsOf = ({
  cursor,
  cols,
  rows,
  title,
  marked,
}: Omit<ScreenView, 'lines' | 'hidden' | 'alternate' | 'position'>): ScreenFacts => ({
  cursor: { ...cursor, col: cursor.col + 1, row: cursor.row + 1 },
  cols,
  rows,
  title,
  marked: marked.map((mark) => ({ ...mark, row: mark.row + 1, col: mark.col + 1 })),
});
