/** One bash: runs commands to its prompt, sends raw input, drains output not returned yet. */
import type { CallOptions } from '../../session/sessions.ts';
import type { Pattern } from '../../views/pattern.ts';
import type { Clock } from '../shared/clock.ts';
import { DialectError } from '../shared/dialect-error.ts';
import type { DialectSession, ReadyForInput } from '../shared/dialect-session.ts';
import { type DrainResult, drainUnreadOutput } from './drain-unread-output.ts';
import { compileExpectPattern } from './expect.ts';
import type { OutputRing } from './output-ring.ts';
import {
  hiveCommandOutput,
  type PromptMarks,
  printedPrompt,
  removePromptMarks,
} from './prompt-marks.ts';
import { searchOutput } from './search-output.ts';

export interface HiveRunResult {
  output: string;
  prompt_after: boolean;
  matched_expect: boolean;
  next_offset: number;
  timed_out: boolean;
  /** What the program waits for, if that has ended the wait. */
  note?: string;
}

export interface HiveCloseResult {
  exit_code: number | null;
  final_output: string;
  already_closed: boolean;
}

/** Without it, bash 5.1 and later print escape sequences around every line they read. */
const DISABLE_BRACKETED_PASTE = "bind 'set enable-bracketed-paste off'; history -d -1\n";
const MAX_FINAL_BYTES = 65_536;
const EXIT_MS = 1000;
const FORCED_EXIT_MS = 100;
const TERMINATE_MS = 250;

export class HiveShell {
  readonly session: DialectSession<OutputRing>;
  readonly #marks: PromptMarks;
  readonly #clock: Clock;
  readonly #strictWaits: boolean;
  #isRunning = false;
  /** How many prompts will still follow from what was typed earlier. */
  #pendingPrompts = 1;
  /** The position after bash's own start-up output. */
  #agentStart = 0;
  /** Raw input since the last drain that returned output. */
  #rawInput = '';

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

  /** Resolves when bash is set up and at its prompt, or when time is up. */
  async initialize(ms: number): Promise<void> {
    const endMs = this.#clock.now() + ms;
    await this.#waitForPrompt({ from: 0, ms });
    const from = this.#ring.end;
    if (!this.hasExited) await this.session.type(DISABLE_BRACKETED_PASTE, {});
    this.#pendingPrompts++;
    if ((await this.#waitForPrompt({ from, ms: endMs - this.#clock.now() })) !== undefined)
      this.#pendingPrompts = 0;
    this.#agentStart = this.#ring.end;
    this.#ring.markReturned({ from: 0, to: this.#agentStart });
  }

  async run(
    command: string,
    ms: number,
    expect: string | undefined,
    call: CallOptions,
  ): Promise<HiveRunResult> {
    if (this.#isRunning) throw new DialectError(`session busy: session ${this.session.id} is busy`);
    this.#isRunning = true;
    try {
      const pattern = expect === undefined ? undefined : await compileExpectPattern(expect);
      if (this.#pendingPrompts > 0 && (await this.#isAtPrompt())) this.#pendingPrompts = 0;
      const from = this.#ring.end;
      const earlierPrompts = this.#pendingPrompts;
      this.#pendingPrompts += countLines(`${command}\n`);
      await this.#type(`${command}\n`, earlierPrompts, call);
      const result = pattern
        ? await this.#runToMatch(from, ms, pattern, call)
        : await this.#runToPrompt(from, ms, { command, earlierPrompts }, call);
      if (result.prompt_after && !result.matched_expect) {
        this.#pendingPrompts = 0;
        this.#rawInput = '';
      }
      return result;
    } finally {
      this.#isRunning = false;
    }
  }

  async send(text: string, call: CallOptions): Promise<void> {
    const earlierPrompts = this.#pendingPrompts;
    if (this.#ring.endsWith(printedPrompt(this.#marks))) this.#pendingPrompts += countLines(text);
    const earlierInput = this.#rawInput;
    this.#rawInput += text;
    try {
      await this.#type(text, earlierPrompts, call);
    } catch (error) {
      this.#rawInput = earlierInput;
      throw error;
    }
  }

  /** If it is refused, no prompt will follow from it. */
  async #type(text: string, earlierPrompts: number, call: CallOptions): Promise<void> {
    try {
      await this.session.type(text, call);
    } catch (error) {
      this.#pendingPrompts = earlierPrompts;
      throw error;
    }
  }

  async drain(ms: number, call: CallOptions): Promise<DrainResult> {
    const result = await drainUnreadOutput(this.session, {
      ms,
      marks: this.#marks,
      rawInput: this.#rawInput,
      clock: this.#clock,
      strictWaits: this.#strictWaits,
      call,
    });
    if (result.output !== '') this.#rawInput = '';
    return result;
  }

  async close(force: boolean): Promise<HiveCloseResult> {
    const { session } = this;
    if (this.hasExited) {
      await session.end();
      return { exit_code: null, final_output: '', already_closed: true };
    }
    // This fails if a program does not read or is about to end. The signals below end it anyway.
    // A person who is asked about it must not hold up the end.
    const signal = AbortSignal.timeout(EXIT_MS);
    if (!force) await session.type('exit\n', { signal }).catch(() => {});
    await session.wait({
      ms: force ? FORCED_EXIT_MS : EXIT_MS,
      until: () => session.isFinished,
    });
    await session.end({ signal: 'SIGTERM', graceMs: TERMINATE_MS });
    const { end } = this.#ring;
    return {
      exit_code: session.exit?.code ?? null,
      final_output: this.#withoutMarks(
        this.#ring.slice(Math.max(this.#agentStart, end - MAX_FINAL_BYTES), end),
      ),
      already_closed: false,
    };
  }

  get #ring(): OutputRing {
    return this.session.output;
  }

  async #runToPrompt(
    from: number,
    ms: number,
    { command, earlierPrompts }: { command: string; earlierPrompts: number },
    { signal }: CallOptions,
  ): Promise<HiveRunResult> {
    const question = this.#questionAfter(from);
    const to = await this.#waitForPrompt({ from, ms, signal, orReady: question.isAsked });
    if (to === undefined) return this.#withoutEnd(from, question.note);
    const start = this.#commandStart(earlierPrompts, from, to);
    this.#ring.markReturned({ from: start, to });
    return {
      output: hiveCommandOutput(this.#ring.slice(start, to).toString(), this.#marks, command),
      prompt_after: true,
      matched_expect: false,
      next_offset: to,
      timed_out: false,
    };
  }

  async #runToMatch(
    from: number,
    ms: number,
    expect: Pattern,
    { signal }: CallOptions,
  ): Promise<HiveRunResult> {
    const search = searchOutput(this.#ring, this.#marks, expect, from);
    let to: number | undefined;
    const question = this.#questionAfter(from);
    await this.session.wait({
      ms,
      signal,
      until: () => {
        to = search();
        return to !== undefined || this.session.isFinished;
      },
      orReady: question.isAsked,
      onlyIfCertain: false,
    });
    if (to === undefined) return this.#withoutEnd(from, question.note);
    this.#ring.markReturned({ from, to });
    return {
      output: this.#withoutMarks(this.#ring.slice(from, to)),
      prompt_after: true,
      matched_expect: true,
      next_offset: to,
      timed_out: false,
    };
  }

  /** Neither the prompt nor a match has come: time was up, bash has ended, or the program asks. */
  #withoutEnd(from: number, note: string | undefined): HiveRunResult {
    const to = this.#ring.completeEnd;
    this.#ring.markReturned({ from, to });
    return {
      output: this.#withoutMarks(this.#ring.slice(from, to)),
      prompt_after: false,
      matched_expect: false,
      next_offset: to,
      timed_out: note === undefined,
      ...(note !== undefined && { note }),
    };
  }

  /**
   * Resolves to where the prompt ends that bash has reached after `from`, having read everything that
   * was typed. Only at the last of several prompts does it wait for input.
   */
  async #waitForPrompt({ from, ms, signal, orReady }: PromptWait): Promise<number | undefined> {
    let promptEnd: number | undefined;
    await this.session.wait({
      ms,
      signal,
      until: () => this.session.isFinished,
      orReady: (ready) => {
        promptEnd = this.#promptEndAfter(from);
        return promptEnd !== undefined || orReady?.(ready) === true;
      },
      onlyIfCertain: false,
    });
    return this.hasExited ? undefined : promptEnd;
  }

  /** Where bash's last prompt ends, after which jobs may have printed. Undefined if it runs something. */
  #promptEndAfter(from: number): number | undefined {
    const { prompt, begin } = this.#marks;
    const shown = this.#ring.slice(from, this.#ring.end).toString('latin1');
    const [found] = [...shown.matchAll(new RegExp(`${prompt}\r\n(?:\\$ )?`, 'g'))].slice(-1);
    if (found === undefined || shown.lastIndexOf(begin) > found.index) return undefined;
    return this.#ring.end - shown.length + found.index + found[0].length;
  }

  /**
   * Whether the program that runs now asks for a line or a secret. Nothing else can follow then, until it
   * is answered. At bash's own prompt the jobs in the background may still print.
   */
  #questionAfter(from: number): Question {
    const question: Question = {
      isAsked: ({ waitingFor, isCertain }) => {
        // Sudo hides from other users what it does, but the terminal shows no echo: that is enough.
        const isPlain = isCertain || waitingFor === 'secret';
        if (!isPlain || waitingFor === 'key' || this.#promptEndAfter(from) !== undefined)
          return false;
        const what = waitingFor === 'secret' ? 'a secret' : 'a line';
        question.note = `the program waits for ${what}: answer it with raw_send=True`;
        return true;
      },
    };
    return this.#strictWaits ? { isAsked: () => false } : question;
  }

  async #isAtPrompt(): Promise<boolean> {
    if (this.hasExited || !this.#ring.endsWith(printedPrompt(this.#marks))) return false;
    return (await this.session.currentState()).state === 'waiting';
  }

  /** Where this command's part of the output starts: after the prompts of earlier commands. */
  #commandStart(earlierPrompts: number, from: number, to: number): number {
    const prompt = printedPrompt(this.#marks);
    const shown = this.#ring.slice(from, to);
    const promptEnds: number[] = [];
    for (let index = shown.indexOf(prompt); index !== -1; index = shown.indexOf(prompt, index + 1))
      promptEnds.push(index + prompt.length);
    const skipped = Math.min(earlierPrompts, promptEnds.length - 1);
    return skipped > 0 ? from + promptEnds[skipped - 1]! : from;
  }

  #withoutMarks(bytes: Buffer): string {
    return removePromptMarks(bytes.toString(), this.#marks).text;
  }
}

interface PromptWait {
  from: number;
  ms: number;
  signal?: AbortSignal | undefined;
  orReady?: Question['isAsked'];
}

interface Question {
  isAsked: (ready: ReadyForInput) => boolean;
  note?: string;
}

const countLines = (text: string): number => text.split('\n').length - 1;
