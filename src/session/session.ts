/**
 * One program (and what it starts) on one terminal, with its screen, its readers, and somebody who
 * watches whose turn it is.
 */
import { ProgramExited } from '../errors.ts';
import { Screen } from '../screen/screen.ts';
import type { ScreenEvent } from '../screen/sequences/screen-events.ts';
import type { Verdict } from '../state/verdict.ts';
import { isAnswerAwaited, Watcher } from '../state/watcher.ts';
import { ListeningSockets } from '../system/kernel/listening-sockets.ts';
import { describeExit } from '../system/process/exit.ts';
import type { CloseOptions, CloseResult } from '../system/terminal/channel.ts';
import type { Pipes } from '../system/terminal/pipes.ts';
import { Pty } from '../system/terminal/pty.ts';
import type { OutputSpan } from '../views/text.ts';
import type { TypedInput } from './input/encode-input.ts';
import { type Desk, InputQueue } from './input/input-queue.ts';
import { ReplyQueue } from './input/reply-queue.ts';
import { portsOf } from './listening-ports.ts';
import { type Observation, observeSession } from './observation.ts';
import type { Guard } from './options/options.ts';
import type { OpenRequest } from './options/requests.ts';
import { EchoDetector } from './output/echo-detector.ts';
import { FloodPacing } from './output/flood-pacing.ts';
import { HiddenSpans } from './output/hidden-spans.ts';
import {
  maskReadResult,
  Readers,
  type ReadRequest,
  type ReadResult,
  type SessionReader,
} from './output/readers.ts';
import { SessionShell } from './run/session-shell.ts';
import { MaskedOutput } from './secrets/masked-output.ts';
import type { Secret, SecretSource } from './secrets/secrets.ts';
import { exitEvent, inputEvent, markEvent } from './session-events.ts';
import { sessionStateOf } from './session-state.ts';
import type { SessionEventBody, SessionState } from './sessions.ts';
import { startProgram } from './start-program.ts';

/** What a session is given by those who have it. */
export interface SessionDeps {
  guard: Guard;
  tell(event: SessionEventBody): void;
  secretNames: SecretSource['names'];
}

export class Session {
  readonly name: string;
  readonly command: readonly string[];
  readonly shell: SessionShell;
  readonly openedMs = performance.now();
  /** Called with marks and the like while they are parsed, when the screen is as it was at them. */
  readonly onScreenEvent = new Set<(event: ScreenEvent) => void>();
  /** Called after every piece of output. */
  readonly onOutput = new Set<() => void>();
  /** When somebody last typed, read or waited here. */
  usedMs = performance.now();
  /** Whether an answer has told that its program exited. */
  isEndTold = false;
  readonly screen: Screen;
  readonly watcher: Watcher;
  readonly #output = new MaskedOutput((bytes) => this.#receive(bytes));
  readonly #echo: EchoDetector;
  readonly #leftOut: HiddenSpans;
  readonly #readers: Readers;
  readonly #house: SessionDeps;
  #channel: Pty | Pipes | undefined;
  readonly #typist = new InputQueue();
  readonly #answers: ReplyQueue;
  readonly #sockets = new ListeningSockets();
  readonly #pacing = new FloodPacing();
  #lastOutputMs = performance.now();
  #isClosed = false;
  #users = 0;

  static async open(name: string, request: OpenRequest, house: SessionDeps): Promise<Session> {
    const session = new Session(name, request, house);
    const { tell } = house;
    const onOutput = (chunk: Buffer) => session.#output.receive(chunk);
    try {
      session.#channel = await startProgram(request, session.shell.start, onOutput);
    } catch (error) {
      session.shell.hasStarted();
      throw error;
    }
    const { pid, ended } = session.channel;
    tell({ type: 'opened', command: request.command, pid });
    void ended.then(() => tell({ type: 'ended' }));
    void session.channel.exited.then((exit) => {
      session.shell.hasStarted();
      session.#output.flush();
      session.watcher.conclude();
      tell(exitEvent(exit));
    });
    return session;
  }

  private constructor(name: string, request: OpenRequest, house: SessionDeps) {
    const { command, cols, rows, tty, history } = request;
    this.name = name;
    this.command = command;
    this.shell = new SessionShell(request);
    this.#house = house;
    const reply = (answer: string) => this.#answers.add(answer);
    const onEvent = (event: ScreenEvent) => this.#heard(event);
    const { aid } = this.shell;
    const own = aid === undefined ? {} : { aid };
    this.screen = new Screen({ cols, rows, history, bareLineFeeds: !tty, reply, onEvent, ...own });
    const now = { channel: () => this.#channel, look: () => this.#lookNow() };
    this.#answers = new ReplyQueue(this.screen, now);
    this.#echo = new EchoDetector(this.screen);
    this.#leftOut = new HiddenSpans(this.screen, this.#echo);
    this.watcher = new Watcher(() => this.judge());
    this.#readers = new Readers(this.screen);
  }

  get channel(): Pty | Pipes {
    return this.#channel!;
  }

  get lastEventMs(): number {
    return Math.max(this.#typist.inputMs, this.#lastOutputMs);
  }

  /** Where the output stood when something was typed last. */
  get inputPosition(): number {
    return this.#typist.inputPosition;
  }

  /** What was typed and not entered. */
  get begunLine(): string {
    return this.#typist.line.begun;
  }

  reader(name: string): SessionReader {
    return this.#readers.get(name);
  }

  /** Undefined where things moved while we looked. */
  judge(): Verdict | undefined {
    return this.look()?.verdict;
  }

  look(): Observation | undefined {
    const sight = this.#lookNow();
    // Who waits for an answer of the terminal waits for nobody else, and has it now.
    if (this.#answers.give()) return undefined;
    if (sight !== undefined) this.#typist.seen(sight.verdict, this.screen.position);
    return sight;
  }

  #lookNow(): Observation | undefined {
    // The end of a prompt may be among it.
    if (this.#output.isHolding) return undefined;
    return observeSession({
      channel: this.channel,
      screen: this.screen,
      shell: this.shell,
      typist: this.#typist,
      lastOutputMs: this.#lastOutputMs,
    });
  }

  /** The verdict in the words of a result. */
  situation(verdict: Verdict): SessionState {
    const { exit } = this.channel;
    return sessionStateOf(verdict, {
      session: this.name,
      exit,
      listening: exit === undefined ? this.listening() : [],
      secretNames: this.#house.secretNames,
      keyboard: this.#typist.holder,
      masked: (text) => this.masked(text),
    });
  }

  type(typing: TypedInput, actor: string): Promise<void> {
    return this.#typist.type(typing, actor, this.#desk);
  }

  typeSecret(secret: Secret, submit: boolean, actor: string): Promise<void> {
    return this.#typist.typeSecret(secret, submit, actor, this.#desk);
  }

  typeBytes(bytes: Uint8Array, actor: string): Promise<void> {
    return this.#typist.typeBytes(bytes, actor, this.#desk);
  }

  take(actor: string): void {
    this.#typist.take(this.name, actor);
  }

  giveBack(actor: string): void {
    this.#typist.giveBack(actor);
  }

  async read(readerName: string, look: ReadRequest, verdict: Verdict): Promise<ReadResult> {
    const seen = await this.reader(readerName).read(look, this.leftOut(verdict));
    return maskReadResult(seen, (text) => this.masked(text));
  }

  /** For text from the screen: without the secrets typed here, which it may hold in pieces. */
  masked(text: string): string {
    return this.#output.inText(text);
  }

  /** What a result does not repeat: echoes, and the prompt, which it names by itself. */
  leftOut(verdict?: Verdict): readonly OutputSpan[] {
    return this.#leftOut.spans(verdict);
  }

  /** The TCP ports on which its programs listen now; none where there is nothing to look with. */
  listening(): number[] {
    return portsOf(this.#sockets, this.channel.pid);
  }

  resize(cols: number, rows: number): void {
    this.#assertRunning('resized');
    const { channel } = this;
    // The screen first: it has the narrower bounds.
    this.screen.resize(cols, rows);
    if (channel instanceof Pty) channel.resize({ cols, rows });
    this.#house.tell({ type: 'resized', cols, rows });
  }

  async signal(name: string): Promise<void> {
    this.#assertRunning('sent a signal');
    const { channel } = this;
    if (channel instanceof Pty) channel.signalForeground(name);
    else await channel.signalSession(name);
  }

  async close(options: CloseOptions): Promise<CloseResult> {
    const closed = await this.channel.close(options);
    if (this.#isClosed) return closed;
    this.#isClosed = true;
    this.#output.forget();
    this.#readers.close();
    this.#house.tell({ type: 'closed' });
    this.#disposeIfUnused();
    return closed;
  }

  /** Whether somebody reads, types or waits here now, for however long. */
  get isInUse(): boolean {
    return this.#users > 0;
  }

  /** Whoever has begun to read or to wait can finish, though the session is closed meanwhile. */
  async use<T>(act: () => Promise<T>): Promise<T> {
    this.#users++;
    this.usedMs = performance.now();
    try {
      return await act();
    } finally {
      this.#users--;
      this.usedMs = performance.now();
      this.#disposeIfUnused();
    }
  }

  /** The emulator remembers its last screen otherwise. */
  #disposeIfUnused(): void {
    if (this.#isClosed && this.#users === 0) this.screen.dispose();
  }

  get #desk(): Desk {
    return {
      session: this.name,
      channel: this.channel,
      screen: this.screen,
      watcher: this.watcher,
      output: this.#output,
      lastEventMs: () => this.lastEventMs,
      look: () => this.look(),
      echo: this.#echo,
      guard: this.#house.guard,
      typed: (bytes, ...how) => this.#house.tell(inputEvent(this.#output.inBytes(bytes), ...how)),
    };
  }

  #heard(event: ScreenEvent): void {
    this.shell.heard(event, this.channel.pid);
    this.#leftOut.heard(event);
    for (const listener of [...this.onScreenEvent]) listener(event);
    if (event.type === 'mark') this.#house.tell(markEvent(event));
  }

  #assertRunning(attempt: string): void {
    const { exit } = this.channel;
    if (exit !== undefined) throw new ProgramExited(attempt, describeExit(exit), this.name);
  }

  #receive(chunk: Buffer): void {
    const { position } = this.screen;
    const isEcho = this.#echo.write(chunk);
    this.#answers.give();
    this.#lastOutputMs = performance.now();
    if (isEcho) this.watcher.prod();
    else this.watcher.poke();
    this.#house.tell({ type: 'output', bytes: chunk, position });
    if (isAnswerAwaited() && !this.watcher.isHurried) this.#pacing.rest(chunk.length, this.channel);
    for (const heard of this.onOutput) heard();
  }
}
