/** Types into a session: one caller after another, each with the guard's permission and its name. */
import { KeyboardTaken, ProgramExited, RefusedByGuard } from '../../errors.ts';
import type { InputWrite } from '../../keys/input.ts';
import { refuseLongLines, unfinishedLineBytes } from '../../keys/line-limit.ts';
import type { Screen } from '../../screen/screen.ts';
import { TypedLine } from '../../state/typed-line.ts';
import type { Verdict } from '../../state/verdict.ts';
import { describeExit } from '../../system/process/exit.ts';
import type { Pipes } from '../../system/terminal/pipes.ts';
import { Pty } from '../../system/terminal/pty.ts';
import type { Guard } from '../options/options.ts';
import type { EchoDetector } from '../output/echo-detector.ts';
import type { MaskedOutput } from '../secrets/masked-output.ts';
import { type PromptWatch, waitForSecretPrompt } from '../secrets/secret-prompt.ts';
import type { Secret } from '../secrets/secrets.ts';
import {
  encodeInput,
  forChannel,
  joinEnter,
  type TypedInput,
  typedLines,
  writeWithPauses,
} from './encode-input.ts';
import { mayDetectPaste } from './paste-detection.ts';
import { untilRead } from './until-read.ts';

/** What the queue types to, and what it has to know of the session. */
export interface InputDeps extends PromptWatch {
  session: string;
  channel: Pty | Pipes;
  screen: Screen;
  output: MaskedOutput;
  echo: EchoDetector;
  guard: Guard;
  /** Called with all that was typed. `hidden`: typed where nothing is echoed. */
  onTyped(bytes: Uint8Array, actor: string, hidden: boolean, secret?: string): void;
}

export class InputQueue {
  /** Where the output stood when something was typed last. */
  inputPosition = -1;
  inputMs = performance.now();
  readonly typedLine = new TypedLine();
  readonly #deps: InputDeps;
  /** The one person who may type now. */
  #keyboardHolder: string | undefined;
  /** The last writer in the queue; the next one waits for it. */
  #last: Promise<unknown> = Promise.resolve();
  /** Whether a secret was asked for when the output stood here. */
  #asked = { at: -1, secret: false };
  /** Of a line in canonical mode whose end has not been typed yet. */
  #unfinishedBytes = 0;

  constructor(deps: InputDeps) {
    this.#deps = deps;
  }

  get keyboardHolder(): string | undefined {
    return this.#keyboardHolder;
  }

  /** From now on only this actor can type. */
  take(actor: string): void {
    this.#refuseOthers(actor);
    this.#keyboardHolder = actor;
  }

  giveBack(actor: string): void {
    if (this.#keyboardHolder === actor) this.#keyboardHolder = undefined;
  }

  /** Types after all that others have begun to type. Resolves when the terminal has taken it. */
  type(input: TypedInput, actor: string): Promise<void> {
    return this.#inTurn(async () => {
      const { channel, screen, echo } = this.#deps;
      const encode = () => {
        return encodeInput(input, screen.modes, lineModeOf(channel), this.#unfinishedBytes);
      };
      const text = Buffer.concat(encode().map(({ bytes }) => bytes)).toString();
      await this.#permit(text, actor);
      // The guard may have taken its time, and the program may read in another way by now.
      const writes = encode();
      const mode = lineModeOf(channel);
      // Where the terminal does not echo, a program that repeats its input has really printed it.
      if (mode !== undefined && (mode.echo || !mode.canonical)) echo.expect(typedLines(writes));
      const isOneWrite = mode?.canonical || !mayDetectPaste(screen, this.inputPosition);
      await this.#writeAll(isOneWrite ? joinEnter(writes) : writes, actor);
    });
  }

  /** Types a secret at the moment when it may be typed, or not at all. */
  typeSecret(secret: Secret, submit: boolean, actor: string): Promise<void> {
    return this.#inTurn(async () => {
      await this.#permit('', actor, secret.name);
      await waitForSecretPrompt(secret, this.#deps);
      this.#refuseOthers(actor);
      const value = this.#deps.output.hide(secret.value);
      const writes: InputWrite[] = [{ kind: 'text', bytes: value }];
      if (submit) writes.push({ kind: 'enter', bytes: Buffer.from('\r') });
      await this.#writeAll(writes, actor, secret.name);
    });
  }

  /** Types bytes as a person's own terminal has made them. */
  typeBytes(bytes: Uint8Array, actor: string): Promise<void> {
    return this.#inTurn(async () => {
      if (lineModeOf(this.#deps.channel)?.canonical)
        refuseLongLines([{ kind: 'text', bytes }], this.#unfinishedBytes);
      await this.#permit(Buffer.from(bytes).toString(), actor);
      await this.#write(bytes, actor);
    });
  }

  /** What an observation of the program has shown, and where the output stood then. */
  noteVerdict(verdict: Verdict, position: number): void {
    if (verdict.state !== 'waiting') return;
    this.#asked = { at: position, secret: verdict.waitingFor === 'secret' };
  }

  async #inTurn(act: () => Promise<void>): Promise<void> {
    const turn = this.#last.then(act);
    this.#last = turn.catch(() => {});
    await turn;
  }

  #writeAll(writes: readonly InputWrite[], actor: string, secret?: string): Promise<void> {
    const { channel, screen, watcher } = this.#deps;
    const since = this.inputPosition;
    return writeWithPauses(
      forChannel(writes, channel),
      () => mayDetectPaste(screen, since),
      () => untilRead(watcher),
      (bytes) => this.#write(bytes, actor, secret),
    );
  }

  async #permit(input: string, actor: string, secret?: string): Promise<void> {
    const { session, channel, guard, output } = this.#deps;
    if (channel.exit !== undefined)
      throw new ProgramExited('typed to', describeExit(channel.exit), session);
    this.#refuseOthers(actor);
    const what = { input: output.inText(input), ...(secret !== undefined && { secret }) };
    const refusal = await guard({ act: 'type', session, ...what, actor });
    if (refusal !== undefined) throw new RefusedByGuard('typed', refusal);
    this.#refuseOthers(actor);
  }

  #refuseOthers(actor: string): void {
    if (this.#keyboardHolder !== undefined && this.#keyboardHolder !== actor)
      throw new KeyboardTaken(this.#deps.session, this.#keyboardHolder);
  }

  async #write(bytes: Uint8Array, actor: string, secret?: string): Promise<void> {
    const { channel, screen, watcher, output, onTyped } = this.#deps;
    // What is held back was there before this is typed.
    output.flush();
    const mode = lineModeOf(channel);
    const hidden = secret !== undefined || this.#isHidden();
    this.inputPosition = screen.position;
    if (!hidden) this.typedLine.note(bytes);
    this.#unfinishedBytes = mode?.canonical ? unfinishedLineBytes(bytes, this.#unfinishedBytes) : 0;
    this.inputMs = performance.now();
    // Without a terminal nobody makes C-d the end of the input.
    if (!(channel instanceof Pty) && isEndOfInput(bytes)) await channel.endInput();
    else await channel.write(bytes);
    watcher.onInput();
    onTyped(bytes, actor, hidden, secret);
  }

  /** Whether what is typed now must not be shown: a secret is asked for. */
  #isHidden(): boolean {
    const { channel, screen, observe } = this.#deps;
    const mode = lineModeOf(channel);
    if (mode === undefined || mode.echo) return false;
    if (mode.canonical) return true;
    // A line editor; or a relay, such as sudo, and the terminal inside it is what counts.
    if (this.#asked.at !== screen.position) observe();
    return this.#asked.at === screen.position && this.#asked.secret;
  }
}

const lineModeOf = (channel: Pty | Pipes) =>
  channel instanceof Pty ? channel.lineMode : undefined;

const isEndOfInput = (bytes: Uint8Array) => bytes.length === 1 && bytes[0] === 0x04;
