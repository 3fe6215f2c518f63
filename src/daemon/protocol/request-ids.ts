/** Numbers the requests of one client for its whole life, over all the connections that it makes. */
export class RequestIds {
  readonly #unanswered = new Set<number>();
  #last = 0;

  take(): number {
    this.#last++;
    this.#unanswered.add(this.#last);
    return this.#last;
  }

  /** Called when the request has its answer, or its caller has given up. */
  settle(id: number): void {
    this.#unanswered.delete(id);
  }

  /** Requests without an answer, the oldest first. */
  get unanswered(): number[] {
    return [...this.#unanswered];
  }

  /** Sent with each request: answers to those before it need not be kept. */
  get oldest(): number {
    const [oldest = this.#last + 1] = this.#unanswered;
    return oldest;
  }
}
