/** Types into a session, one caller after another, each with the guard's permission and as an actor. */
import { KeyboardTaken, ProgramExited, RefusedByGuard } from '../../errors.ts';
import type { InputWrite } from '../../keys/input-writes.ts';
import { refuseLongLines, unfinishedLineBytes } from '../../keys/line-limit.ts';
import type { Screen } from '../../screen/screen.ts';
import { TypedLine, typedAtPrompt } from '../../state/typed-line.ts';
import type { Verdict, WaitingFor } from '../../state/verdict.ts';
import { describeExit } from '../../system/process/describe-exit.ts';
import type { LineMode } from '../../system/terminal/pty-device.ts';
import type { Terminal } from '../../system/terminal/terminal.ts';
import type { Actor, Caller } from '../caller.ts';
import { ifDefined } from '../options/if-defined.ts';
import type { Guard } from '../options/options.ts';
import type { EchoDetector } from '../output/echo-detector.ts';
import type { MaskedOutput } from '../secrets/masked-output.ts';
import { type SecretPromptWatch, waitForSecretPrompt } from '../secrets/secret-prompt.ts';
import type { Secret } from '../secrets/secrets.ts';
import type { InputSnapshot } from '../snapshot/session-snapshot.ts';
import { fromEpochMs, toEpochMs } from '../snapshot/time-in-snapshot.ts';
import {
  encodeInput,
  joinEnterWithText,
  submittedLines,
  type TypedInput,
  withEnterOf,
  writeWithPauses,
} from './encode-input.ts';
import type { Approval, Gate, InputGate, LineReader } from './gate.ts';
import { type LastInput, mayDetectPaste } from './paste-detection.ts';
import { ScreenWatch } from './screen-watch.ts';
import { UnprovenInput } from './unproven-input.ts';
import { untilProgramReads } from './until-program-reads.ts';

/** The parts of a session that the queue uses. */
export interface InputQueueDeps extends SecretPromptWatch {
  /** Its name now: a session can be renamed. */
  sessionName(): string;
  terminal: Terminal;
  screen: Screen;
  output: MaskedOutput;
  echo: EchoDetector;
  guard: Guard;
  /** @default everything is typed at once */
  gate?: Gate | undefined;
  /** The folder of the program in the foreground. */
  cwd(): string | undefined;
  /** What a person sees, without secrets. */
  screenText(): string;
  /** Called when input was held back by the gate. */
  onHeld(): void;
  /** Called when the keyboard was taken, or given back: then without a holder. */
  onKeyboard(holder: string | undefined, caller: Caller): void;
  /** Called before each write. */
  onTyping(): void;
  /** Called after each write, when it is known whether it is shown. `hidden`: it is not. */
  onTyped(bytes: Uint8Array, actor: Actor, hidden: boolean, secret?: string): void;
}

export class InputQueue {
  /** The position of the output at the last input. */
  inputPosition = -1;
  inputMs = performance.now();
  readonly typedLine = new TypedLine();
  readonly #deps: InputQueueDeps;
  readonly #unproven: UnprovenInput;
  /** The only actor that may type now, if the keyboard was taken. */
  #keyboardHolder: string | undefined;
  #lastCaller: Caller | undefined;
  /** The last turn in the queue; the next one waits for it. */
  #lastTurn: Promise<unknown> = Promise.resolve();
  /** What the last prompt asked for, whose it was, and the position of the output at that time. */
  lastPrompt: InputSnapshot['lastPrompt'] = { position: -1, isSecret: false };
  /** The program that got the last input, if that was a line. */
  #lineReader: string | undefined;
  /** What it waited for. */
  #waitingFor: WaitingFor | undefined;
  /** The length of a line in canonical mode whose Enter has not been typed yet. */
  #unfinishedBytes = 0;
  readonly #gate: InputGate | undefined;
  /** How often something was typed. */
  #inputs = 0;
  readonly #watch: ScreenWatch;
  /** The gate's, of a process before us, if this one has no gate. */
  #leftGate: string | undefined;

  constructor(deps: InputQueueDeps) {
    this.#deps = deps;
    this.#unproven = new UnprovenInput(deps.screen);
    this.#watch = new ScreenWatch(deps.screen);
    this.#gate = deps.gate?.inputOf({
      name: deps.sessionName,
      reader: () => this.#reader(),
      cwd: deps.cwd,
      look: () => this.#watch.look(this.#inputs),
      screen: deps.screenText,
      masked: (text) => deps.output.inText(text),
      onHeld: deps.onHeld,
    });
  }

  /** Called when output is on the screen. */
  onOutput(bytes: Buffer): void {
    this.#unproven.onOutput(bytes);
    if (this.#gate !== undefined && this.#watch.isDue && this.#gate.mayAsk)
      this.#watch.look(this.#inputs);
  }

  /** Called at the end of the program: nothing more is shown. */
  onEnd(): void {
    this.#unproven.settle();
  }

  /** Text that is on the line, or will be when its line is finished. */
  get unfinished(): string {
    return this.typedLine.unfinished + this.held;
  }

  /** Text that the gate holds back until its line is finished. */
  get held(): string {
    return this.#gate?.held ?? '';
  }

  /** Who typed last. */
  get lastCaller(): Caller | undefined {
    return this.#lastCaller;
  }

  get keyboardHolder(): string | undefined {
    return this.#keyboardHolder;
  }

  /** From now on, only this actor can type. */
  take({ name, caller }: Actor): void {
    this.#refuseOthers({ name, caller });
    if (this.#keyboardHolder === name) return;
    this.#keyboardHolder = name;
    this.#deps.onKeyboard(name, caller);
  }

  giveBack({ name, caller }: Actor): void {
    if (!this.#isHolder({ name, caller })) return;
    this.#keyboardHolder = undefined;
    this.#deps.onKeyboard(undefined, caller);
  }

  /**
   * Types after all earlier callers. Resolves when the terminal has taken the input, or the gate holds it.
   * Throws ApprovalNeeded if a person must be asked before.
   */
  type(input: TypedInput, actor: Actor, approval?: Approval): Promise<void> {
    return this.#inTurn(async () => {
      const { terminal, screen, echo } = this.#deps;
      const encode = () => {
        const { program } = this.lastPrompt;
        const reader = { modes: screen.modes, lineMode: terminal.lineMode, program };
        return encodeInput(input, reader, this.#unfinishedBytes + this.held.length);
      };
      const text = Buffer.concat(encode().map(({ bytes }) => bytes)).toString();
      await this.#permit(text, actor);
      // The guard may have taken a while, and the terminal's modes may have changed since.
      const encoded = encode();
      const gated = { writes: encoded, actor, run: input.run, approval };
      const writes = this.#gate?.concerns(actor) ? await this.#gate.pass(gated) : encoded;
      if (writes.length === 0) return;
      const mode = terminal.lineMode;
      // If the terminal does not echo, a line equal to the input is real output of the program.
      if (mode !== undefined && (mode.echo || !mode.canonical)) {
        // The kernel echoes exactly what is typed; a line editor may do something else with it.
        const unfinished = mode.canonical ? this.typedLine.unfinished : '';
        echo.expect(submittedLines(writes), unfinished);
      }
      const isOneWrite = mode?.canonical || !mayDetectPaste(screen, this.#lastInput);
      await this.#writeAll(isOneWrite ? joinEnterWithText(writes) : writes, actor);
    });
  }

  /** Types a secret when the program asks for one, or throws. */
  typeSecret(secret: Secret, submit: boolean, actor: Actor, approval?: Approval): Promise<void> {
    return this.#inTurn(async () => {
      await this.#permit('', actor, secret.name);
      await waitForSecretPrompt(secret, this.#deps);
      if (this.#gate?.concerns(actor))
        await this.#gate.pass({ writes: [], actor, secret: secret.name, approval });
      this.#refuseOthers(actor);
      const value = this.#deps.output.hide(secret.value);
      const writes: InputWrite[] = [{ kind: 'text', bytes: value }];
      if (submit) writes.push({ kind: 'enter', bytes: Buffer.from('\r') });
      await this.#writeAll(writes, actor, secret.name);
    });
  }

  /** Types bytes exactly as they come from a person's terminal. */
  typeBytes(bytes: Uint8Array, actor: Actor, approval?: Approval): Promise<void> {
    return this.#inTurn(async () => {
      const typed: InputWrite[] = [{ kind: 'text', bytes }];
      if (this.#deps.terminal.lineMode?.canonical)
        refuseLongLines(typed, this.#unfinishedBytes + this.held.length);
      await this.#permit(Buffer.from(bytes).toString(), actor);
      const writes = this.#gate?.concerns(actor)
        ? await this.#gate.pass({ writes: typed, actor, approval })
        : typed;
      for (const write of writes) await this.#write(write.bytes, actor);
    });
  }

  /** Called with each verdict and the position of the output at that time. */
  noteVerdict(verdict: Verdict, position: number): void {
    if (verdict.state !== 'waiting') return;
    this.#waitingFor = verdict.waitingFor;
    this.lastPrompt = {
      position,
      isSecret: verdict.waitingFor === 'secret',
      ...ifDefined('program', verdict.foreground),
      prompt: typedAtPrompt(verdict),
    };
  }

  /** Observes the program if it has shown something since it was last seen to wait. */
  #reader(): LineReader {
    const { screen, terminal, observe } = this.#deps;
    const isCurrent = () =>
      this.lastPrompt.position === screen.position && this.#waitingFor !== undefined;
    if (!isCurrent()) observe();
    const { canonical = true } = terminal.lineMode ?? {};
    const inputs = this.#inputs;
    const { position, modes } = screen;
    const isFullScreen = modes.alternateScreen;
    const reader = { position, inputs, isCanonical: canonical, isFullScreen };
    if (!isCurrent()) return reader;
    const { program, prompt } = this.lastPrompt;
    return { ...reader, program, prompt: prompt?.text, waitingFor: this.#waitingFor };
  }

  get #lastInput(): LastInput {
    const { program } = this.lastPrompt;
    const isLineOfReader = program !== undefined && program === this.#lineReader;
    return { position: this.inputPosition, isLineOfReader };
  }

  /** Tells now of what was typed and is not known to be shown: as hidden. */
  settleUnproven(): void {
    this.#unproven.settle();
  }

  snapshot(): InputSnapshot {
    const snapshot: InputSnapshot = {
      position: this.inputPosition,
      at: toEpochMs(this.inputMs),
      typed: this.typedLine.snapshot(),
      lastPrompt: this.lastPrompt,
      unfinishedBytes: this.#unfinishedBytes,
    };
    const gate = this.#gate ? this.#gate.snapshot() : this.#leftGate;
    // It is noted before each input: a spread for each field takes as long as to encode all of them.
    if (this.#keyboardHolder !== undefined) snapshot.keyboardHolder = this.#keyboardHolder;
    if (this.#lastCaller !== undefined) snapshot.lastCaller = this.#lastCaller;
    if (this.#lineReader !== undefined) snapshot.lineReader = this.#lineReader;
    if (gate !== undefined) snapshot.gate = gate;
    return snapshot;
  }

  restore(snapshot: InputSnapshot): void {
    this.inputPosition = snapshot.position;
    this.inputMs = fromEpochMs(snapshot.at);
    this.typedLine.restore(snapshot.typed);
    this.#keyboardHolder = snapshot.keyboardHolder;
    this.#lastCaller = snapshot.lastCaller;
    this.lastPrompt = snapshot.lastPrompt;
    this.#lineReader = snapshot.lineReader;
    this.#unfinishedBytes = snapshot.unfinishedBytes;
    this.#leftGate = snapshot.gate;
    if (snapshot.gate !== undefined) this.#gate?.restore(snapshot.gate);
  }

  async #inTurn(act: () => Promise<void>): Promise<void> {
    const turn = this.#lastTurn.then(act);
    this.#lastTurn = turn.catch(() => {});
    await turn;
  }

  #writeAll(writes: readonly InputWrite[], actor: Actor, secret?: string): Promise<void> {
    const { terminal, screen, watcher } = this.#deps;
    const lastInput = this.#lastInput;
    return writeWithPauses(
      withEnterOf(terminal, writes),
      () => mayDetectPaste(screen, lastInput),
      () => untilProgramReads(watcher),
      (bytes) => this.#write(bytes, actor, secret),
    );
  }

  async #permit(input: string, actor: Actor, secret?: string): Promise<void> {
    const { terminal, guard, output } = this.#deps;
    const session = this.#deps.sessionName();
    const { name, caller } = actor;
    if (terminal.exit !== undefined)
      throw new ProgramExited('typed to', describeExit(terminal.exit), session);
    this.#refuseOthers(actor);
    const refusal = await guard({
      act: 'type',
      session,
      input: output.inText(input),
      ...(secret !== undefined && { secret }),
      actor: name,
      caller,
    });
    if (refusal !== undefined) throw new RefusedByGuard('typed', refusal);
    this.#refuseOthers(actor);
  }

  /** A name can be borrowed; but nothing inside a session of ours has ever taken a keyboard. */
  #isHolder({ name, caller }: Actor): boolean {
    return this.#keyboardHolder === name && caller.inside === undefined;
  }

  #refuseOthers(actor: Actor): void {
    if (this.#keyboardHolder !== undefined && !this.#isHolder(actor))
      throw new KeyboardTaken(this.#deps.sessionName(), this.#keyboardHolder);
  }

  async #write(bytes: Uint8Array, actor: Actor, secret?: string): Promise<void> {
    const { terminal, screen, watcher, output, onTyped } = this.#deps;
    this.#inputs++;
    // Output that is held back came before this input.
    output.flush();
    const mode = terminal.lineMode;
    const hidden = secret !== undefined || this.#isHidden(mode);
    this.inputPosition = screen.position;
    const { position, prompt } = this.lastPrompt;
    if (!hidden) this.typedLine.note(bytes, position === screen.position ? prompt : undefined);
    this.#unfinishedBytes = mode?.canonical ? unfinishedLineBytes(bytes, this.#unfinishedBytes) : 0;
    this.inputMs = performance.now();
    this.#lineReader = endsLine(bytes) ? this.lastPrompt.program : undefined;
    // It may show nothing, and is busy with this all the same.
    this.#waitingFor = undefined;
    this.#lastCaller = actor.caller;
    this.#deps.onTyping();
    // Without a terminal, nothing turns C-d into the end of the input.
    if (isEndOfInput(bytes)) await terminal.endInput();
    else await terminal.write(bytes);
    watcher.onInput();
    if (hidden) {
      this.#unproven.settle();
      onTyped(bytes, actor, true, secret);
    } else {
      const isEchoed = mode === undefined || mode.echo;
      this.#unproven.add(bytes, isEchoed, (isHidden) => onTyped(bytes, actor, isHidden));
    }
  }

  /** Whether input must not be shown now, because a secret is asked for. */
  #isHidden(mode: LineMode | undefined): boolean {
    const { screen, observe } = this.#deps;
    if (mode === undefined || mode.echo) return false;
    if (mode.canonical) return true;
    // Neither canonical nor echoing: a line editor, which shows what it gets, or a relay such as sudo. Only an
    // observation of the terminal inside the relay can tell.
    if (this.lastPrompt.position !== screen.position) observe();
    return this.lastPrompt.position === screen.position && this.lastPrompt.isSecret;
  }
}

const endsLine = (bytes: Uint8Array) => bytes.at(-1) === 0x0d || bytes.at(-1) === 0x0a;

const isEndOfInput = (bytes: Uint8Array) => bytes.length === 1 && bytes[0] === 0x04;
