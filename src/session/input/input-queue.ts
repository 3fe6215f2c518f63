/** Types into a session: one caller after another, each with the guard's leave and its name. */
import { KeyboardTaken, ProgramExited, RefusedByGuard } from '../../errors.ts';
import type { InputWrite } from '../../keys/input.ts';
import { refuseLongLines, unfinishedLineBytes } from '../../keys/line-limit.ts';
import type { Screen } from '../../screen/screen.ts';
import { TypedLine } from '../../state/typed-line.ts';
import type { Verdict } from '../../state/verdict.ts';
import type { Watcher } from '../../state/watcher.ts';
import { describeExit } from '../../system/process/exit.ts';
import type { Pipes } from '../../system/terminal/pipes.ts';
import { Pty } from '../../system/terminal/pty.ts';
import type { Guard } from '../options/options.ts';
import type { EchoDetector } from '../output/echo-detector.ts';
import type { MaskedOutput } from '../secrets/masked-output.ts';
import { type PromptWatch, waitForSecretPrompt } from '../secrets/secret-prompt.ts';
import type { Secret } from '../secrets/secrets.ts';
import { encodeInput, type TypedInput, typedLines, writeWithPauses } from './encode-input.ts';
import { mayDetectPaste } from './paste-detection.ts';

/** How long the next of several lines waits for a program that is busy with the one before. */
const NEXT_LINE_MS = 500;

export interface Desk extends PromptWatch {
  session: string;
  channel: Pty | Pipes;
  screen: Screen;
  output: MaskedOutput;
  echo: EchoDetector;
  guard: Guard;
  /** Told of all that was typed; nothing of what was typed where nothing is echoed. */
  typed(bytes: Uint8Array, actor: string, hidden: boolean, secret?: string): void;
}

export class InputQueue {
  /** Where the output stood when something was typed last. */
  inputPosition = -1;
  inputMs = performance.now();
  readonly line = new TypedLine();
  /** The one person who may type now. */
  #holder: string | undefined;
  /** The last writer in the queue; the next one waits for it. */
  #queue: Promise<unknown> = Promise.resolve();
  /** Whether a secret was asked for when the output stood here. */
  #asked = { at: -1, secret: false };
  /** Of a line in canonical mode whose end has not been typed yet. */
  #begunBytes = 0;

  get holder(): string | undefined {
    return this.#holder;
  }

  take(session: string, actor: string): void {
    this.#refuseOthers(session, actor);
    this.#holder = actor;
  }

  giveBack(actor: string): void {
    if (this.#holder === actor) this.#holder = undefined;
  }

  /** Types after all that others have begun to type. Resolves when the terminal has taken it. */
  type(typing: TypedInput, actor: string, desk: Desk): Promise<void> {
    return this.#inTurn(() => this.#type(typing, actor, desk));
  }

  /** Types a secret in the moment in which it may be typed, or not at all. */
  typeSecret(secret: Secret, submit: boolean, actor: string, desk: Desk): Promise<void> {
    return this.#inTurn(async () => {
      await this.#permit('', actor, desk, secret.name);
      await waitForSecretPrompt(secret, desk);
      this.#refuseOthers(desk.session, actor);
      const value = desk.output.hide(secret.value);
      const writes: InputWrite[] = [{ kind: 'text', bytes: value }];
      if (submit) writes.push({ kind: 'enter', bytes: Buffer.from('\r') });
      await this.#perform(writes, desk, (bytes) => this.#write(bytes, actor, desk, secret.name));
    });
  }

  /** What a look at the program has shown, and where the output stood then. */
  seen(verdict: Verdict, position: number): void {
    if (verdict.state !== 'waiting') return;
    this.#asked = { at: position, secret: verdict.waitingFor === 'secret' };
  }

  /** A person's own terminal has done to the bytes what is to be done. */
  typeBytes(bytes: Uint8Array, actor: string, desk: Desk): Promise<void> {
    return this.#inTurn(async () => {
      if (lineModeOf(desk.channel)?.canonical)
        refuseLongLines([{ kind: 'text', bytes }], this.#begunBytes);
      await this.#permit(Buffer.from(bytes).toString(), actor, desk);
      await this.#write(bytes, actor, desk);
    });
  }

  async #inTurn(act: () => Promise<void>): Promise<void> {
    const turn = this.#queue.then(act);
    this.#queue = turn.catch(() => {});
    await turn;
  }

  async #type(typing: TypedInput, actor: string, desk: Desk): Promise<void> {
    const { channel, screen } = desk;
    const input = () => encodeInput(typing, screen.modes, lineModeOf(channel), this.#begunBytes);
    const text = Buffer.concat(input().map(({ bytes }) => bytes)).toString();
    await this.#permit(text, actor, desk);
    // The guard may have taken its time, and the program may read in another way by now.
    const writes = input();
    const mode = lineModeOf(channel);
    // Where the terminal does not echo, a program that repeats what it got has really said it.
    if (mode !== undefined && (mode.echo || !mode.canonical)) desk.echo.expect(typedLines(writes));
    const isOneGo = mode?.canonical || !mayDetectPaste(screen, this.inputPosition);
    const pieces = isOneGo ? inLines(writes) : writes;
    await this.#perform(pieces, desk, (bytes) => this.#write(bytes, actor, desk));
  }

  #perform(
    writes: readonly InputWrite[],
    { channel, screen, watcher }: Desk,
    write: (bytes: Uint8Array) => Promise<void>,
  ): Promise<void> {
    const since = this.inputPosition;
    return writeWithPauses(
      forChannel(writes, channel),
      () => mayDetectPaste(screen, since),
      () => untilRead(watcher),
      write,
    );
  }

  async #permit(
    input: string,
    actor: string,
    { session, channel, guard, output }: Desk,
    secret?: string,
  ): Promise<void> {
    if (channel.exit !== undefined)
      throw new ProgramExited('typed to', describeExit(channel.exit), session);
    this.#refuseOthers(session, actor);
    const what = { input: output.inText(input), ...(secret !== undefined && { secret }) };
    const refusal = await guard({ act: 'type', session, ...what, actor });
    if (refusal !== undefined) throw new RefusedByGuard('typed', refusal);
    this.#refuseOthers(session, actor);
  }

  #refuseOthers(session: string, actor: string): void {
    if (this.#holder !== undefined && this.#holder !== actor)
      throw new KeyboardTaken(session, this.#holder);
  }

  async #write(bytes: Uint8Array, actor: string, desk: Desk, secret?: string): Promise<void> {
    const { channel, screen, watcher } = desk;
    // What is held back was there before this is typed.
    desk.output.flush();
    const mode = lineModeOf(channel);
    const hidden = secret !== undefined || this.#isHidden(desk);
    this.inputPosition = screen.position;
    if (!hidden) this.line.note(bytes);
    this.#begunBytes = mode?.canonical ? unfinishedLineBytes(bytes, this.#begunBytes) : 0;
    this.inputMs = performance.now();
    // Without a terminal nobody makes C-d the end of the input.
    if (!(channel instanceof Pty) && isEndOfInput(bytes)) await channel.endInput();
    else await channel.write(bytes);
    watcher.prod();
    desk.typed(bytes, actor, hidden, secret);
  }

  /** Whether what is typed now is not to be seen: a secret is asked for. */
  #isHidden({ channel, screen, look }: Desk): boolean {
    const mode = lineModeOf(channel);
    if (mode === undefined || mode.echo) return false;
    if (mode.canonical) return true;
    // A line editor; or a relay, such as sudo, and the terminal inside it is what counts.
    if (this.#asked.at !== screen.position) look();
    return this.#asked.at === screen.position && this.#asked.secret;
  }
}

const lineModeOf = (channel: Pty | Pipes) =>
  channel instanceof Pty ? channel.lineMode : undefined;

/**
 * Enter goes with its text. Where the kernel collects lines nobody can tell them apart; and node's
 * REPL takes an Enter that comes a moment later for a yes to the completion it has shown meanwhile.
 */
const inLines = (writes: readonly InputWrite[]): InputWrite[] => {
  const lines: InputWrite[] = [];
  for (const write of writes) {
    const last = lines.at(-1);
    if (write.kind === 'enter' && last?.kind === 'text')
      lines[lines.length - 1] = { kind: 'enter', bytes: Buffer.concat([last.bytes, write.bytes]) };
    else lines.push(write);
  }
  return lines;
};

/** Until the program reads again, or for a moment: it may have much to do for the line it got. */
const untilRead = (watcher: Watcher): Promise<void> =>
  new Promise((resolve) => {
    const done = () => {
      clearTimeout(limit);
      stop();
      resolve();
    };
    const limit = setTimeout(done, NEXT_LINE_MS);
    const stop = watcher.watch(({ state }) => {
      if (state !== 'working') done();
    });
  });

const isEndOfInput = (bytes: Uint8Array) => bytes.length === 1 && bytes[0] === 0x04;

/** Without a terminal nobody turns Enter into the line feed that programs expect. */
const forChannel = (writes: readonly InputWrite[], channel: Pty | Pipes): readonly InputWrite[] =>
  channel instanceof Pty
    ? writes
    : writes.map((write) =>
        write.kind === 'enter'
          ? { ...write, bytes: Buffer.concat([write.bytes.subarray(0, -1), Buffer.from('\n')]) }
          : write,
      );
