/**
 * A session: one program, and the processes it starts, on one terminal, with its screen, its readers
 * and a watcher that finds out whose turn it is.
 */
import { ProgramExited } from '../errors.ts';
import type { StoredPages } from '../keeper/stored-pages.ts';
import type { Sandbox } from '../sandbox/sandbox.ts';
import { Screen } from '../screen/screen.ts';
import { assertScreenSize } from '../screen/screen-size.ts';
import type { ScreenEvent } from '../screen/sequences/screen-events.ts';
import type { Observation } from '../state/judge.ts';
import type { Verdict } from '../state/verdict.ts';
import { isAnswerAwaited, Watcher } from '../state/watcher.ts';
import { ThreadHistory } from '../system/foreground/thread-history.ts';
import { ListeningSockets } from '../system/listening-sockets.ts';
import { whyAdoptedHides } from '../system/proc/machine-info.ts';
import { workingFolderOf } from '../system/proc/process-info.ts';
import { describeExit } from '../system/process/describe-exit.ts';
import type { CloseOptions, CloseResult, Terminal } from '../system/terminal/terminal.ts';
import type { TerminalToKeep } from '../system/terminal/terminal-keeping.ts';
import { makeScreenView } from '../views/screen.ts';
import type { OutputSpan } from '../views/text.ts';
import type { Caller } from './caller.ts';
import { InputQueue } from './input/input-queue.ts';
import { TerminalReplyQueue } from './input/reply-queue.ts';
import { deliverTo, type KeptSession } from './keeping/kept-session.ts';
import type { LeftSession, LeftState } from './keeping/left-session.ts';
import { replayRecords } from './keeping/replay-records.ts';
import { observeProgram } from './observe-program.ts';
import { ifDefined } from './options/if-defined.ts';
import type { OpenRequest } from './options/requests.ts';
import { EchoDetector } from './output/echo-detector.ts';
import { FloodPacing } from './output/flood-pacing.ts';
import { HiddenSpans } from './output/hidden-spans.ts';
import {
  changesReader,
  maskReadResult,
  type ReadRequest,
  type ReadResult,
  SessionReaders,
} from './output/session-readers.ts';
import { writeOutputToScreen } from './output/write-output-to-screen.ts';
import { prepareShell, SessionShell } from './run/session-shell.ts';
import { MaskedOutput } from './secrets/masked-output.ts';
import { exitSessionEvent, inputSessionEvent, markSessionEvent } from './session-events.ts';
import type { AdoptTerminal, MakeScreen, SessionDeps, SessionParts } from './session-parts.ts';
import { sessionStateOf } from './session-state.ts';
import type { SessionState } from './sessions.ts';
import { checkSnapshot } from './snapshot/check-snapshot.ts';
import {
  type RestorableParts,
  restoreParts,
  restoreRunningCommand,
  snapshotParts,
} from './snapshot/restore-session.ts';
import type { SessionSnapshot } from './snapshot/session-snapshot.ts';
import { fromEpochMs, toEpochMs } from './snapshot/time-in-snapshot.ts';
import { startProgram } from './start-program.ts';

export class Session {
  /** Changed only by the registry, which finds the session by it. */
  name: string;
  readonly openedBy: Caller;
  readonly command: readonly string[];
  /** Absent if its programs are not confined. */
  readonly sandbox: Sandbox | undefined;
  readonly terminal: Terminal;
  readonly shell: SessionShell;
  readonly screen: Screen;
  readonly input: InputQueue;
  readonly readers: SessionReaders;
  readonly watcher = new Watcher(() => this.observe()?.verdict);
  /** What earlier observations have shown of the program's threads. */
  readonly history = new ThreadHistory();
  /** Keeps it beyond the end of this process. */
  readonly kept: KeptSession | undefined;
  /** Why its program may be hidden from us. */
  hiddenBy: string | undefined;
  openedMs = performance.now();
  /** Called for each mark or mode switch while it is parsed, with the screen as it is at that point. */
  readonly onScreenEvent = new Set<(event: ScreenEvent) => void>();
  /** Called after every piece of output. */
  readonly onOutput = new Set<() => void>();
  /** When a caller last typed, read or waited here. */
  usedMs = performance.now();
  /** Whether a caller has got a result with the exit in it. */
  isExitReported = false;
  readonly #deps: SessionDeps;
  readonly #masking: MaskedOutput;
  readonly #echo: EchoDetector;
  readonly #hidden: HiddenSpans;
  readonly #replies: TerminalReplyQueue;
  readonly #sockets = new ListeningSockets();
  readonly #pacing = new FloodPacing();
  #lastOutputMs = performance.now();
  #isClosed = false;
  #users = 0;

  static async open(name: string, request: OpenRequest, deps: SessionDeps): Promise<Session> {
    // The constructor must not fail once the program runs.
    assertScreenSize(request.cols, request.rows);
    const { command, cols, rows, history, tty } = request;
    const { shell, start } = prepareShell(request);
    const masking = new MaskedOutput();
    try {
      let kept: KeptSession | undefined;
      let trouble: string | undefined;
      const { keeping } = deps;
      const onTrouble = (message: string) => {
        trouble = message;
      };
      const keep = keeping && ((ends: TerminalToKeep) => (kept = keeping.keep(ends, onTrouble)));
      const receive = deliverTo(masking.receive, () => kept);
      // The terminal delivers no output within the turn in which it is returned.
      const terminal = await startProgram(
        request,
        start,
        { onOutput: receive, keep },
        deps.sandbox,
      );
      const { aid } = shell;
      const options = {
        ...{ cols, rows, history, bareLineFeeds: !tty, ...ifDefined('aid', aid) },
        // A shell with marks of its own has a key, too, and tells of more than its end.
        ...(shell.kind === undefined && ifDefined('finalMarkKey', aid)),
      };
      const makeScreen: MakeScreen = (callbacks) => new Screen({ ...options, ...callbacks });
      const parts = { command, terminal, shell, masking, makeScreen, deps, kept };
      const session = new Session(name, parts);
      session.#attachKept();
      deps.emit({ type: 'opened', command, pid: terminal.pid, openedBy: deps.openedBy });
      if (trouble !== undefined) deps.emit({ type: 'trouble', message: trouble });
      return session;
    } catch (error) {
      shell.onStarted();
      throw error;
    }
  }

  /** Goes on with a session that was written down, on its terminal. */
  static async restore(
    written: unknown,
    adopt: AdoptTerminal,
    deps: SessionDeps,
  ): Promise<Session> {
    const snapshot = await checkSnapshot(written);
    const masking = new MaskedOutput();
    const terminal = await adopt(masking.receive);
    return Session.#fromSnapshot(snapshot, { terminal, masking, deps });
  }

  /**
   * Goes on at once with a session that a killed process has left. `state`: what happened after it was
   * written down. Throws if nothing can be made of it; then its terminal must be set aside.
   */
  static takeOver(
    snapshot: SessionSnapshot,
    left: LeftSession,
    { records, missing }: Omit<LeftState, 'session'>,
    deps: SessionDeps,
  ): Session {
    const { kept } = left;
    const masking = new MaskedOutput();
    const terminal = left.adopt(deliverTo(masking.receive, () => kept));
    const session = Session.#fromSnapshot(snapshot, { terminal, masking, deps, kept });
    session.hiddenBy = whyAdoptedHides();
    const { isExitReported } = replayRecords(session.#restorable, records, missing);
    session.isExitReported ||= isExitReported;
    session.#attachKept();
    return session;
  }

  static #fromSnapshot(
    snapshot: SessionSnapshot,
    parts: Omit<SessionParts, 'command' | 'shell' | 'makeScreen'>,
  ): Session {
    const { name, command } = snapshot;
    const shell = SessionShell.restore(snapshot.shell);
    const makeScreen: MakeScreen = (callbacks) =>
      Screen.restore(
        snapshot.screen,
        { ...callbacks, ...ifDefined('aid', shell.aid) },
        parts.kept?.pages,
      );
    const session = new Session(name, { ...parts, command, shell, makeScreen });
    session.#restore(snapshot);
    return session;
  }

  private constructor(
    name: string,
    { command, terminal, shell, masking, makeScreen, deps, kept }: SessionParts,
  ) {
    this.kept = kept;
    this.name = name;
    this.openedBy = deps.openedBy;
    this.command = command;
    this.sandbox = deps.sandbox;
    this.terminal = terminal;
    this.shell = shell;
    this.#masking = masking;
    masking.onOutput = (bytes) => this.#receive(bytes);
    this.#deps = deps;
    this.screen = makeScreen({
      reply: (answer) => this.#replies.add(answer),
      onEvent: (event) => this.#onScreenEvent(event),
    });
    terminal.limitWork((chunk) => this.screen.affordable(chunk));
    this.#echo = new EchoDetector(this.screen);
    this.#hidden = new HiddenSpans(this.screen, this.#echo);
    this.#replies = new TerminalReplyQueue(this.screen, terminal, () => this.#observeProgram());
    if (kept !== undefined) {
      masking.onHide = (value) => kept.noteSecret(value);
      this.#replies.onSettled = () => kept.noteReplySettled();
      kept.onTrouble = (message) => deps.emit({ type: 'trouble', message });
    }
    this.readers = new SessionReaders(this.screen);
    this.input = new InputQueue({
      sessionName: () => this.name,
      terminal,
      screen: this.screen,
      watcher: this.watcher,
      output: masking,
      echo: this.#echo,
      guard: deps.guard,
      gate: deps.gate,
      cwd: () => workingFolderOf(terminal.foregroundGroup ?? terminal.pid),
      screenText: () => this.masked(makeScreenView(this.screen).lines.join('\n')),
      onHeld: () => kept?.noteTyping(),
      observe: () => this.observe(),
      lastEventMs: () => this.lastEventMs,
      onTyping: () => {
        this.history.onInput();
        // Before it is typed: its echo may come at once.
        kept?.noteTyping();
      },
      onKeyboard: (holder, caller) => {
        kept?.noteTyping();
        deps.emit({ type: 'keyboard', ...ifDefined('holder', holder), caller });
      },
      onTyped: (bytes, ...rest) =>
        deps.emit(inputSessionEvent(this.#masking.inBytes(bytes), ...rest)),
    });
    void terminal.ended.then(() => deps.emit({ type: 'ended' }));
    void terminal.exited.then((exit) => {
      shell.onStarted();
      this.#masking.flush();
      this.input.onEnd();
      this.watcher.onExit();
      deps.emit(exitSessionEvent(exit));
    });
  }

  /** Everything that a new session needs to go on where this one is, which ends here. */
  snapshot(): SessionSnapshot {
    this.input.settleUnproven();
    return this.#writeDown();
  }

  #writeDown(pages?: StoredPages): SessionSnapshot {
    return {
      name: this.name,
      command: [...this.command],
      openedBy: this.openedBy,
      openedAt: toEpochMs(this.openedMs),
      usedAt: toEpochMs(this.usedMs),
      lastOutputAt: toEpochMs(this.#lastOutputMs),
      isExitReported: this.isExitReported,
      ...ifDefined('sandbox', this.sandbox),
      ...snapshotParts(this.#restorable, pages),
    };
  }

  #restore(snapshot: SessionSnapshot): void {
    this.openedMs = fromEpochMs(snapshot.openedAt);
    this.usedMs = fromEpochMs(snapshot.usedAt);
    this.#lastOutputMs = fromEpochMs(snapshot.lastOutputAt);
    this.isExitReported = snapshot.isExitReported;
    restoreParts(this.#restorable, snapshot);
    restoreRunningCommand(this, snapshot.shell);
  }

  #attachKept(): void {
    const { kept, terminal } = this;
    const { mark, startTime, isSandbox } = terminal;
    const { recording, attachments = [] } = this.#deps;
    for (const [key, value] of attachments) kept?.attachments.set(key, value);
    kept?.attach({
      parts: this.#restorable,
      undelivered: () => terminal.undelivered,
      isExitReported: () => this.isExitReported,
      write: (pages) => ({
        session: this.#writeDown(pages),
        terminal: { mark, startTime, isSandbox },
        ...ifDefined('recording', recording),
      }),
    });
  }

  get #restorable(): RestorableParts {
    const { shell, readers, input, screen } = this;
    return {
      shell,
      readers,
      input,
      screen,
      masking: this.#masking,
      echo: this.#echo,
      hidden: this.#hidden,
      replies: this.#replies,
    };
  }

  get lastEventMs(): number {
    return Math.max(this.input.inputMs, this.#lastOutputMs);
  }

  /** Whose turn it is now, and the evidence for it. Undefined if something changed meanwhile. */
  observe(): Observation | undefined {
    const observation = this.#observeProgram();
    // The program was waiting for the terminal's reply, and has just got it: the observation is old.
    if (this.#replies.flush()) return undefined;
    if (observation !== undefined)
      this.input.noteVerdict(observation.verdict, this.screen.position);
    return observation;
  }

  #observeProgram(): Observation | undefined {
    // The end of a prompt may be in the output that is held back.
    if (this.#masking.isHolding) return undefined;
    const observation = observeProgram(this, this.#lastOutputMs);
    const foreground = observation?.verdict.foreground;
    if (observation !== undefined && foreground !== undefined)
      observation.verdict.foreground = this.#masking.inName(foreground);
    return observation;
  }

  /** The verdict and other facts, as results show them. */
  stateOf(verdict: Verdict): SessionState {
    const { exit } = this.terminal;
    return sessionStateOf(verdict, {
      session: this.name,
      exit,
      listening: exit === undefined ? this.listening() : [],
      secretNames: this.#deps.secretNames,
      keyboard: this.input.keyboardHolder,
      held: this.input.held.length,
      masking: this.#masking,
    });
  }

  async read(reader: string, request: ReadRequest, verdict: Verdict): Promise<ReadResult> {
    const reading = this.readers.get(reader).read(request, this.hiddenSpans(verdict));
    if (changesReader(request)) this.#noteReading(reader, request, verdict);
    const result = await reading;
    return maskReadResult(result, this.#masking);
  }

  #noteReading(reader: string, request: ReadRequest, verdict: Verdict): void {
    const { state } = verdict;
    const { prompt } = state === 'waiting' ? verdict : {};
    this.kept?.noteReading({
      reader,
      request,
      verdict: prompt === undefined ? { state } : { state, prompt },
    });
  }

  /** Text from the screen without the secrets typed here. It may hold them in pieces. */
  masked(text: string): string {
    return this.#masking.inText(text);
  }

  /** What the output of a result leaves out: echoes, and the prompt, which has a field of its own. */
  hiddenSpans(verdict?: Verdict): readonly OutputSpan[] {
    return this.#hidden.spans(verdict);
  }

  /** The TCP ports on which its programs listen now. */
  listening(): number[] {
    return this.#sockets.ports(this.terminal.pid);
  }

  resize(cols: number, rows: number): void {
    this.#assertRunning('resized');
    const { terminal } = this;
    // The screen first: it accepts fewer sizes than the terminal, and throws.
    this.screen.resize(cols, rows);
    terminal.resize({ cols, rows });
    this.#deps.emit({ type: 'resized', cols, rows });
    this.kept?.writeDown();
  }

  async signal(name: string): Promise<void> {
    this.#assertRunning('sent a signal');
    const { terminal } = this;
    await terminal.signal(name);
  }

  async close(options: CloseOptions): Promise<CloseResult> {
    const { survivors } = await this.terminal.close(options);
    const named = survivors.map(({ pid, name }) => ({ pid, name: this.#masking.inName(name) }));
    const closed = { survivors: named };
    if (this.#isClosed) return closed;
    this.#isClosed = true;
    this.#masking.forget();
    this.readers.close();
    this.#deps.emit({ type: 'closed' });
    this.#disposeIfUnused();
    return closed;
  }

  /** Whether a caller reads, types or waits here now. */
  get isInUse(): boolean {
    return this.#users > 0;
  }

  /** Keeps the screen until `act` is done, even if the session is closed meanwhile. */
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

  /** Undisposed, the emulator would keep its last screen in memory. */
  #disposeIfUnused(): void {
    if (this.#isClosed && this.#users === 0) this.screen.dispose();
  }

  #onScreenEvent(event: ScreenEvent): void {
    this.shell.onScreenEvent(event, this.terminal.programPid);
    this.#hidden.onScreenEvent(event);
    const { own } = this.screen.marks;
    if (own?.mark === 'output' && own.position === event.position && !own.next)
      this.#echo.onCommandStart(own.position);
    if (this.shell.running?.tracker?.isTypedStart(event))
      this.#echo.onCommandStart(event.position, { isAllEchoed: true });
    for (const listener of [...this.onScreenEvent]) listener(event);
    if (event.type === 'mark') this.#deps.emit(markSessionEvent(event));
  }

  #assertRunning(attempt: string): void {
    const { exit } = this.terminal;
    if (exit !== undefined) throw new ProgramExited(attempt, describeExit(exit), this.name);
  }

  #receive(chunk: Buffer): void {
    const { position } = this.screen;
    const startMs = performance.now();
    const isEcho = writeOutputToScreen(chunk, this.screen, this.#echo);
    this.#replies.flush();
    this.#lastOutputMs = performance.now();
    this.history.onOutput();
    this.input.onOutput(chunk);
    if (isEcho) this.watcher.onInput();
    else this.watcher.onOutput();
    this.#deps.emit({ type: 'output', bytes: chunk, position });
    if (isAnswerAwaited() && !this.watcher.isHurried)
      this.#pacing.onOutput(chunk.length, this.#lastOutputMs - startMs, this.terminal);
    for (const listener of this.onOutput) listener();
  }
}
