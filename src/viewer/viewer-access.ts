/** Which tokens open the viewer, and for what. */
import { createAccessToken, isSameToken } from '../http/http-gate.ts';
import type { PagePurpose } from './page-messages.ts';

export interface Grant {
  isReadOnly: boolean;
  /** For this alone, and only once. */
  only?: PagePurpose;
  /** Called when that was done. */
  onDone?(): void;
}

interface OneTimeLink {
  token: string;
  only: PagePurpose;
  isUsed: boolean;
  onDone(): void;
}

/** Links that were never opened must not pile up. */
const MAX_LINKS = 100;

export class ViewerAccess {
  /** Absent if nobody may do more than look. */
  readonly token: string | undefined;
  readonly readOnlyToken = createAccessToken();
  readonly #links: OneTimeLink[] = [];

  constructor({ isReadOnly = false } = {}) {
    this.token = isReadOnly ? undefined : createAccessToken();
  }

  addLink(only: PagePurpose): { token: string; done: Promise<void> } {
    const token = createAccessToken();
    let onDone = () => {};
    const done = new Promise<void>((resolve) => {
      onDone = resolve;
    });
    this.#links.push({ token, only, isUsed: false, onDone });
    if (this.#links.length > MAX_LINKS) this.#links.shift();
    return { token, done };
  }

  /** Without using it up. Returns why it opens nothing, or undefined. */
  refusal(given: string | undefined): string | undefined {
    if (given === undefined) return 'This page needs the link that `repartee view` prints.';
    const link = this.#linkOf(given);
    if (link?.isUsed) return 'This link works once, and has been used. Ask for a new one.';
    if (link !== undefined || this.#standing(given) !== undefined) return undefined;
    return 'This link is no longer valid: each `repartee view` makes a new one.';
  }

  /** What the token opens. A link is used up by this. */
  use(given: string): Grant | undefined {
    const link = this.#linkOf(given);
    if (link === undefined) return this.#standing(given);
    if (link.isUsed) return undefined;
    link.isUsed = true;
    return { isReadOnly: false, only: link.only, onDone: link.onDone };
  }

  /** Whether it opens all that can be looked at. */
  opensAll(given: string | undefined): boolean {
    return given !== undefined && this.#standing(given) !== undefined;
  }

  #standing(given: string): Grant | undefined {
    if (this.token !== undefined && isSameToken(given, this.token)) return { isReadOnly: false };
    return isSameToken(given, this.readOnlyToken) ? { isReadOnly: true } : undefined;
  }

  #linkOf(given: string): OneTimeLink | undefined {
    return this.#links.find(({ token }) => isSameToken(given, token));
  }
}
