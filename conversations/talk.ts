/** A program on a terminal with a screen and a watcher: the least that a conversation needs. */
import { encodeKeyNames } from '../src/keys/encode-key-names.ts';
import { Screen } from '../src/screen/screen.ts';
import { gatherEvidence } from '../src/state/evidence/gather-evidence.ts';
import { judge } from '../src/state/judge.ts';
import { type TypedAtPrompt, TypedLine, typedAtPrompt } from '../src/state/typed-line.ts';
import type { Verdict } from '../src/state/verdict.ts';
import { Watcher } from '../src/state/watcher.ts';
import { whenProgramIsReady } from '../src/state/when-ready.ts';
import { ThreadHistory } from '../src/system/foreground/thread-history.ts';
import type { ProgramRequest } from '../src/system/process/locate-program.ts';
import { openPty, type Pty } from '../src/system/terminal/pty.ts';

const size = { cols: 100, rows: 30 };

export class Talk {
  readonly screen: Screen;
  readonly watcher: Watcher;
  #pty: Pty | undefined;
  readonly #typed = new TypedLine();
  readonly #history = new ThreadHistory();
  /** What it showed when it waited, and the position of its output then. */
  #lastPrompt: { position: number; prompt?: TypedAtPrompt } = { position: -1 };
  #inputPosition = -1;
  #lastInputMs = performance.now();
  #lastOutputMs = performance.now();

  static async open(options: ProgramRequest): Promise<Talk> {
    const talk = new Talk();
    const onOutput = (chunk: Buffer) => {
      talk.screen.write(chunk);
      talk.#lastOutputMs = performance.now();
      talk.#history.onOutput();
      talk.watcher.onOutput();
    };
    talk.#pty = await openPty({ ...options, ...size, onOutput });
    void talk.pty.exited.then(() => talk.watcher.onOutput());
    return talk;
  }

  private constructor() {
    const reply = (answer: string) => void this.#pty?.write(answer).catch(() => {});
    this.screen = new Screen({ ...size, reply });
    this.watcher = new Watcher(() => this.#ask());
  }

  get pty(): Pty {
    return this.#pty!;
  }

  async write(bytes: string | Uint8Array): Promise<void> {
    this.#inputPosition = this.screen.position;
    const { position, prompt } = this.#lastPrompt;
    this.#typed.note(bytes, position === this.screen.position ? prompt : undefined);
    this.#lastInputMs = performance.now();
    this.#history.onInput();
    await this.pty.write(bytes);
    this.watcher.onOutput();
  }

  async press(keys: string): Promise<void> {
    for (const { bytes } of encodeKeyNames(keys, this.screen.modes)) await this.write(bytes);
  }

  /** The verdict that ends a wait, or undefined when time is up. */
  ready(limitMs: number): Promise<Verdict | undefined> {
    return new Promise((resolve) => {
      const lastEventMs = () => Math.max(this.#lastInputMs, this.#lastOutputMs);
      const stop = whenProgramIsReady(this.watcher, lastEventMs, (verdict) => {
        clearTimeout(limit);
        resolve(verdict);
      });
      const limit = setTimeout(() => {
        stop();
        resolve(undefined);
      }, limitMs);
    });
  }

  /** The verdict now, as soon as things hold still. */
  verdict(): Promise<Verdict> {
    return new Promise((resolve) => {
      const stop = this.watcher.watch((verdict) => {
        stop();
        resolve(verdict);
      });
    });
  }

  /** All that a person could have read. */
  text(): string {
    const { screen } = this;
    if (!screen.modes.alternateScreen)
      return [...screen.lines()].map(({ text }) => text).join('\n');
    return Array.from({ length: size.rows }, (_, row) => screen.grid.rowText(row)).join('\n');
  }

  close(): Promise<unknown> {
    return this.pty.close({ graceMs: 0, force: true });
  }

  #ask(): Verdict | undefined {
    if (this.#pty === undefined) return undefined;
    const evidence = gatherEvidence(
      {
        exit: this.pty.exit,
        terminal: this.pty,
        screen: this.screen,
        inputPosition: this.#inputPosition,
        typed: this.#typed,
        lastInputMs: this.#lastInputMs,
        lastOutputMs: this.#lastOutputMs,
        history: this.#history,
      },
      performance.now(),
    );
    const verdict = evidence && judge(evidence);
    if (verdict?.state === 'waiting')
      this.#lastPrompt = { position: this.screen.position, prompt: typedAtPrompt(verdict) };
    return verdict;
  }
}
