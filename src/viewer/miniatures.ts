/**
 * Miniature screens of those sessions that some page shows just now.
 *
 * A session's screen is asked for only when it has printed something, and only so many in a second: to
 * write a screen down costs the daemon several milliseconds, in which nobody else is answered.
 */
import { drawMiniature } from './draw-miniature.ts';
import type { Miniature } from './page-messages.ts';
import { screenNow, type ViewerSessions } from './viewer-sessions.ts';

const TICK_MS = 250;
const DRAWN_IN_A_TICK = 1;
/** Those that were not drawn before: a person waits for them, and they are few. */
const FIRST_DRAWN_IN_A_TICK = 6;

export type OnMiniatures = (miniatures: Miniature[]) => void;

export class Miniatures {
  readonly #sessions: ViewerSessions;
  /** The names that each page shows. */
  readonly #pages = new Map<OnMiniatures, ReadonlySet<string>>();
  readonly #drawn = new Map<string, Miniature>();
  /** Those that have printed since they were drawn, the longest waiting first. */
  readonly #waiting = new Set<string>();
  #timer: NodeJS.Timeout | undefined;
  #isDrawing = false;

  constructor(sessions: ViewerSessions) {
    this.#sessions = sessions;
  }

  show(page: OnMiniatures, names: readonly string[]): void {
    const before = this.#pages.get(page);
    this.#pages.set(page, new Set(names));
    const known: Miniature[] = [];
    for (const name of names) {
      const drawn = this.#drawn.get(name);
      if (drawn === undefined) this.#waiting.add(name);
      else if (!before?.has(name)) known.push(drawn);
    }
    if (known.length > 0) page(known);
    this.#timer ??= setInterval(() => void this.#draw(), TICK_MS);
    void this.#draw();
  }

  hide(page: OnMiniatures): void {
    this.#pages.delete(page);
    if (this.#pages.size > 0) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  /** It has printed, or has another size. */
  outdate(session: string): void {
    if (this.#isShown(session)) this.#waiting.add(session);
    else this.#drawn.delete(session);
  }

  forget(session: string): void {
    this.#waiting.delete(session);
    this.#drawn.delete(session);
  }

  #isShown(session: string): boolean {
    return [...this.#pages.values()].some((names) => names.has(session));
  }

  async #draw(): Promise<void> {
    if (this.#isDrawing || this.#pages.size === 0) return;
    this.#isDrawing = true;
    try {
      const due: string[] = [];
      for (const name of this.#waiting) {
        const most = this.#drawn.has(name) ? DRAWN_IN_A_TICK : FIRST_DRAWN_IN_A_TICK;
        if (due.length >= most) continue;
        this.#waiting.delete(name);
        if (this.#isShown(name)) due.push(name);
        else this.#drawn.delete(name);
      }
      const screens = await Promise.all(due.map((name) => screenNow(this.#sessions, name)));
      const miniatures = screens.flatMap((screen) => (screen ? drawMiniature(screen) : []));
      for (const miniature of miniatures) this.#drawn.set(miniature.session, miniature);
      for (const [page, names] of this.#pages) {
        const own = miniatures.filter(({ session }) => names.has(session));
        if (own.length > 0) page(own);
      }
    } finally {
      this.#isDrawing = false;
    }
  }
}
