/** One bash: commands run to its prompt, raw input, and output that was not given yet. */
import { PatternTooSlow } from '../../errors.ts';
import type { CallOptions } from '../../session/sessions.ts';
import type { Pattern } from '../../views/pattern.ts';
import type { Clock } from '../shared/clock.ts';
import { DialectError } from '../shared/dialect-error.ts';
import type { DialectSession } from '../shared/dialect-session.ts';
import { type DrainResult, drain } from './drain.ts';
import { cleaned, type PromptMarks, printed, shownPrompt } from './marks.ts';
import type { OutputRing } from './ring.ts';

export interface HiveRunResult {
  output: string;
  prompt_after: boolean;
  matched_expect: boolean;
  next_offset: number;
  timed_out: boolean;
}

export interface HiveCloseResult {
  exit_code: number | null;
  final_output: string;
  already_closed: boolean;
}

/** Otherwise bash 5.1 and later wrap every line they read into escape sequences. */
const PLAIN_LINES = "bind 'set enable-bracketed-paste off'; history -d -1\n";
/** A match may have begun this far back. */
const SEARCHED_AGAIN_BYTES = 64 * 1024;
const FINAL_BYTES = 65_536;
const EXIT_MS = 1000;
const FORCED_EXIT_MS = 100;
const TERMINATE_MS = 250;

export class HiveShell {
  readonly session: DialectSession<OutputRing>;
  readonly #marks: PromptMarks;
  readonly #clock: Clock;
  readonly #strictWaits: boolean;
  #isRunning = false;
  /** Prompts that are still to come for what was typed earlier. */
  #owed = 1;
  /** Where the agent's own part begins. */
  #begun = 0;
  /** What was sent raw since the last drain that brought something. */
  #sent = '';

  constructor(
    session: DialectSession<OutputRing>,
    marks: PromptMarks,
    { clock, strictWaits }: { clock: Clock; strictWaits: boolean },
  ) {
    this.session = session;
    this.#marks = marks;
    this.#clock = clock;
    this.#strictWaits = strictWaits;
  }

  get hasExited(): boolean {
    return this.session.exit !== undefined;
  }

  /** Resolves at the first prompt, or when time is up. */
  async begin(ms: number): Promise<void> {
    const endMs = this.#clock.now() + ms;
    await this.#untilPrompt(0, ms);
    const from = this.#ring.end;
    if (!this.hasExited) await this.session.type(PLAIN_LINES);
    this.#owed++;
    if (await this.#untilPrompt(from, endMs - this.#clock.now())) this.#owed = 0;
    this.#begun = this.#ring.end;
    this.#ring.give({ from: 0, to: this.#begun });
  }

  async run(
    command: string,
    ms: number,
    expect: Pattern | undefined,
    call: CallOptions,
  ): Promise<HiveRunResult> {
    if (this.#isRunning) throw new DialectError(`session busy: session ${this.session.id} is busy`);
    this.#isRunning = true;
    try {
      if (this.#owed > 0 && (await this.#standsAtPrompt())) this.#owed = 0;
      const from = this.#ring.end;
      const owed = this.#owed;
      this.#owed += linesIn(`${command}\n`);
      await this.session.type(`${command}\n`);
      const ran = expect
        ? await this.#untilMatch(from, ms, expect, call)
        : await this.#toPrompt(from, ms, owed, call);
      if (ran.prompt_after && !ran.matched_expect) {
        this.#owed = 0;
        this.#sent = '';
      }
      return ran;
    } finally {
      this.#isRunning = false;
    }
  }

  async send(text: string): Promise<void> {
    if (this.#ring.endsWith(shownPrompt(this.#marks))) this.#owed += linesIn(text);
    this.#sent += text;
    await this.session.type(text);
  }

  async drain(ms: number, call: CallOptions): Promise<DrainResult> {
    const drained = await drain(this.session, {
      ms,
      marks: this.#marks,
      sent: this.#sent,
      clock: this.#clock,
      strictWaits: this.#strictWaits,
      call,
    });
    if (drained.output !== '') this.#sent = '';
    return drained;
  }

  async close(force: boolean): Promise<HiveCloseResult> {
    const { session } = this;
    if (this.hasExited) {
      await session.end();
      return { exit_code: null, final_output: '', already_closed: true };
    }
    // A program that does not read, or is about to end: then signals say the same.
    if (!force) await session.type('exit\n').catch(() => {});
    await session.wait({
      ms: force ? FORCED_EXIT_MS : EXIT_MS,
      until: () => session.isOver,
    });
    await session.end({ signal: 'SIGTERM', graceMs: TERMINATE_MS });
    const { end } = this.#ring;
    return {
      exit_code: session.exit?.code ?? null,
      final_output: this.#clean(this.#ring.slice(Math.max(this.#begun, end - FINAL_BYTES), end)),
      already_closed: false,
    };
  }

  get #ring(): OutputRing {
    return this.session.output;
  }

  async #toPrompt(
    from: number,
    ms: number,
    owed: number,
    { signal }: CallOptions,
  ): Promise<HiveRunResult> {
    if (!(await this.#untilPrompt(from, ms, signal))) return this.#soFar(from);
    const to = this.#ring.end;
    const own = this.#after(owed, from, to);
    this.#ring.give({ from: own, to });
    return {
      output: printed(this.#ring.slice(own, to).toString(), this.#marks),
      prompt_after: true,
      matched_expect: false,
      next_offset: to,
      timed_out: false,
    };
  }

  async #untilMatch(
    from: number,
    ms: number,
    expect: Pattern,
    { signal }: CallOptions,
  ): Promise<HiveRunResult> {
    let begin = from;
    let found: { output: string; to: number } | undefined;
    const look = () => {
      const shown = this.#ring.slice(begin, this.#ring.wholeEnd).toString();
      const { text, originalEnd } = cleaned(shown, this.#marks);
      const match = firstMatch(expect, text);
      if (match === null) {
        begin = Math.max(begin, this.#ring.end - SEARCHED_AGAIN_BYTES);
        return false;
      }
      const to =
        begin + Buffer.byteLength(shown.slice(0, originalEnd(match.index + match[0].length)));
      found = { output: this.#clean(this.#ring.slice(from, to)), to };
      return true;
    };
    await this.session.wait({ ms, signal, until: () => look() || this.session.isOver });
    if (found === undefined) return this.#soFar(from);
    this.#ring.give({ from, to: found.to });
    return {
      output: found.output,
      prompt_after: true,
      matched_expect: true,
      next_offset: found.to,
      timed_out: false,
    };
  }

  #soFar(from: number): HiveRunResult {
    const to = this.#ring.wholeEnd;
    this.#ring.give({ from, to });
    return {
      output: this.#clean(this.#ring.slice(from, to)),
      prompt_after: false,
      matched_expect: false,
      next_offset: to,
      timed_out: true,
    };
  }

  /**
   * Whether the shell came to its prompt after this position, having read all that was typed. That
   * it waits is what tells the last of several prompts from the others.
   */
  async #untilPrompt(from: number, ms: number, signal?: AbortSignal): Promise<boolean> {
    const prompt = shownPrompt(this.#marks);
    const isThere = () => this.#ring.end - prompt.length >= from && this.#ring.endsWith(prompt);
    let came = false;
    await this.session.wait({
      ms,
      signal,
      until: () => this.session.isOver,
      orReady: () => {
        came = isThere();
        return came;
      },
      onlyIfCertain: false,
    });
    return came && !this.hasExited;
  }

  async #standsAtPrompt(): Promise<boolean> {
    if (this.hasExited || !this.#ring.endsWith(shownPrompt(this.#marks))) return false;
    return (await this.session.currentState()).state === 'waiting';
  }

  /** Where this command begins: after the prompts that earlier ones had still to bring. */
  #after(owed: number, from: number, to: number): number {
    const prompt = shownPrompt(this.#marks);
    const shown = this.#ring.slice(from, to);
    const ends: number[] = [];
    for (let at = shown.indexOf(prompt); at !== -1; at = shown.indexOf(prompt, at + 1))
      ends.push(at + prompt.length);
    const passed = Math.min(owed, ends.length - 1);
    return passed > 0 ? from + ends[passed - 1]! : from;
  }

  #clean(bytes: Buffer): string {
    return cleaned(bytes.toString(), this.#marks).text;
  }
}

/** Whoever is told of the pattern alone would type the command again. */
const firstMatch = (expect: Pattern, text: string): RegExpExecArray | null => {
  try {
    return expect.exec(text);
  } catch (error) {
    if (!(error instanceof PatternTooSlow)) throw error;
    throw new DialectError(
      `expect pattern: ${error.message} The command was sent and goes on: read_only=True brings its output.`,
    );
  }
};

const linesIn = (text: string): number => text.split('\n').length - 1;
