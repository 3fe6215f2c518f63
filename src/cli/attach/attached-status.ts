/** What the person is told about the session beside its screen: in the status line, and in the title. */
import type { SessionEvent } from '../../session/sessions.ts';
import type { PersonTerminal } from './person-terminal.ts';
import { type StatusFacts, statusLine } from './status-line.ts';

export interface AttachedStatusOptions {
  session: string;
  /** As which they type. */
  actor: string;
  isReadOnly: boolean;
  isHidden: boolean;
}

export class AttachedStatus {
  readonly #terminal: PersonTerminal;
  readonly #actor: string;
  readonly #facts: StatusFacts;
  #isHidden: boolean;

  constructor(
    terminal: PersonTerminal,
    { session, actor, isReadOnly, isHidden }: AttachedStatusOptions,
  ) {
    this.#terminal = terminal;
    this.#actor = actor;
    this.#isHidden = isHidden;
    this.#facts = { session, isReadOnly, hasKeyboard: false, isAfterPrefix: false };
  }

  /** The session's name. It may be renamed. */
  get session(): string {
    return this.#facts.session;
  }

  get hasKeyboard(): boolean {
    return this.#facts.hasKeyboard;
  }

  get isHidden(): boolean {
    return this.#isHidden;
  }

  begin(): void {
    this.#draw();
    this.#showName();
  }

  onEvent(event: SessionEvent): void {
    if (event.type === 'renamed') this.#facts.session = event.to;
    else if (event.type === 'state') this.#facts.situation = event.situation;
    else if (event.type === 'keyboard') this.noteHolder(event.holder);
    else return;
    if (event.type === 'renamed') this.#showName();
    this.#draw();
  }

  noteHolder(holder: string | undefined): void {
    const hasKeyboard = holder === this.#actor;
    this.#facts.hasKeyboard = hasKeyboard;
    if (holder === undefined || hasKeyboard) delete this.#facts.holder;
    else this.#facts.holder = holder;
  }

  /** In the line it stays until the next key. */
  say(message: string): void {
    this.#terminal.setTitle(`${this.session}: ${message}`);
    this.#facts.message = message;
    this.#draw();
  }

  onKey(): void {
    delete this.#facts.message;
  }

  /** After keys: whether the next one is a hotkey. */
  afterKeys(isAfterPrefix: boolean): void {
    this.#facts.isAfterPrefix = isAfterPrefix;
    this.#draw();
  }

  toggle(): void {
    this.#isHidden = !this.#isHidden;
    this.#draw();
  }

  #showName(): void {
    const keyboard = this.hasKeyboard ? ': you have the keyboard' : '';
    this.#terminal.setTitle(`${this.session}${keyboard}`);
  }

  #draw(): void {
    const text = (cols: number) => statusLine(this.#facts, cols);
    this.#terminal.setStatus(this.#isHidden ? undefined : text);
  }
}
