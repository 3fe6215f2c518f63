/** Does what one page asks for, and tells it what happens. */
import { findMismatch } from '../daemon/protocol/validate-params.ts';
import { TerminalError, UnusableArgument, ViewOnly } from '../errors.ts';
import type { CallOptions, SessionEvent } from '../session/sessions.ts';
import type { OnMiniatures } from './miniatures.ts';
import {
  actingRequests,
  type PageNews,
  type PageParams,
  type PageReply,
  type PageRequest,
  type PageRequestName,
  type PageResults,
  pageRequests,
} from './page-messages.ts';
import type { SharedView } from './shared-view.ts';
import type { Grant } from './viewer-access.ts';
import type { ViewerSessions } from './viewer-sessions.ts';
import { WatchedSession } from './watched-session.ts';

export interface PageSocket {
  sendText(text: string): void;
  sendBytes(bytes: Uint8Array): void;
}

export interface PageConnectionOptions {
  /** Of this page alone. */
  sessions: ViewerSessions;
  view: SharedView;
  grant: Grant;
  /** The name under which the page types. */
  actor: string;
}

/** What a page for one question alone may ask for. */
const requestsOfPurpose: Readonly<Record<'secret' | 'approve', readonly PageRequestName[]>> = {
  secret: ['typeSecret'],
  approve: ['answer'],
};

/** The name of a secret that a person has typed here. */
const TYPED_SECRET = 'typed-in-viewer';

export class PageConnection {
  readonly #socket: PageSocket;
  readonly #options: PageConnectionOptions;
  readonly #call: CallOptions;
  readonly #ends: (() => void)[] = [];
  readonly #taken = new Set<string>();
  readonly #fitted = new Set<string>();
  readonly #onMiniatures: OnMiniatures = (miniatures) =>
    this.#tell({ news: 'miniatures', miniatures });
  #watched: { number: number; session: WatchedSession } | undefined;

  constructor(socket: PageSocket, options: PageConnectionOptions) {
    this.#socket = socket;
    this.#options = options;
    this.#call = { actor: options.actor };
    const { view, grant, sessions } = options;
    this.#tell({
      ...{ news: 'hello', version: view.version, actor: options.actor },
      isReadOnly: grant.isReadOnly,
      canApprove: sessions.answer !== undefined && !grant.isReadOnly,
      hasRecordings: view.recordings !== undefined,
      ...(grant.only && { only: grant.only }),
    });
    if (grant.only !== undefined) return;
    this.#ends.push(
      view.timelines.listen((session, entry) => {
        if (this.#watched?.session.session === session)
          this.#tell({ news: 'entry', watch: this.#watched.number, entry });
      }),
      view.onApprovals((waiting) => this.#tell({ news: 'approvals', waiting })),
      view.board.listen({
        onChanged: (changed, gone) => this.#tell({ news: 'changed', changed, gone }),
        onTrouble: (message) =>
          this.#tell(message === undefined ? { news: 'well' } : { news: 'trouble', message }),
      }),
    );
    this.#tell({ news: 'sessions', all: view.board.all });
    const { trouble } = view.board;
    if (trouble !== undefined) this.#tell({ news: 'trouble', message: trouble });
  }

  /** Of a message that the page has sent. */
  async onText(text: string): Promise<void> {
    let id = 0;
    try {
      const { id: given, request, params } = JSON.parse(text) as PageRequest;
      id = Number(given);
      const result = await this.#carryOut(request, params);
      this.#reply({ id, result });
    } catch (error) {
      if (!(error instanceof TerminalError) && !(error instanceof SyntaxError))
        console.error('repartee view: a request failed:', error);
      const code = error instanceof TerminalError ? error.code : 'FAILED';
      this.#reply({ id, error: { code, message: (error as Error).message } });
    }
  }

  /** The page is gone. What it held is given back. */
  async close(): Promise<void> {
    const { sessions, view } = this.#options;
    for (const end of this.#ends) end();
    this.#watched?.session.end();
    view.miniatures.hide(this.#onMiniatures);
    await Promise.allSettled([
      ...[...this.#taken].map((session) => sessions.giveBack(session, this.#call)),
      ...[...this.#fitted].map((session) => sessions.detach?.(session)),
    ]);
  }

  async #carryOut(
    request: PageRequestName,
    params: PageParams<PageRequestName>,
  ): Promise<PageResults[PageRequestName]> {
    if (!Object.hasOwn(pageRequests, request))
      throw new UnusableArgument('request', 'there is no such request');
    const mismatch = findMismatch('params', params, pageRequests[request]);
    if (mismatch !== undefined) throw new UnusableArgument(request, mismatch);
    this.#assertGranted(request, params as { session?: string; id?: number });
    return this.#methods[request](params as never);
  }

  #assertGranted(request: PageRequestName, params: { session?: string; id?: number }): void {
    const { isReadOnly, only } = this.#options.grant;
    if (isReadOnly && actingRequests.includes(request)) throw new ViewOnly(request);
    if (only === undefined) return;
    const isOther =
      only.kind === 'secret'
        ? (params.session ?? only.session) !== only.session
        : params.id !== only.approval.id;
    if (isOther || !requestsOfPurpose[only.kind].includes(request)) throw new ViewOnly(request);
  }

  readonly #methods: {
    [Name in PageRequestName]: (params: PageParams<Name>) => Promise<PageResults[Name]>;
  } = {
    overview: async ({ miniatures }) => {
      this.#options.view.miniatures.show(this.#onMiniatures, miniatures);
      return null;
    },
    leaveOverview: async () => {
      this.#options.view.miniatures.hide(this.#onMiniatures);
      return null;
    },
    watch: async ({ session, watch: number }) => {
      this.#watched?.session.end();
      this.#watched = undefined;
      const watched = new WatchedSession(this.#options.sessions, session, {
        sendScreen: ({ cols, rows }, dump, isAfterGap) =>
          this.#tell({ news: 'screen', watch: number, dump, cols, rows, isAfterGap }),
        sendOutput: (bytes) => this.#sendOutput(number, bytes),
        sendChange: (event) => this.#onWatchedChange(number, event),
      });
      this.#watched = { number, session: watched };
      const state = this.#options.view.board.find(session);
      if (state !== undefined) this.#tell({ news: 'state', watch: number, state });
      return null;
    },
    leave: async () => {
      this.#watched?.session.end();
      this.#watched = undefined;
      return null;
    },
    shown: async ({ watch, bytes }) => {
      if (this.#watched?.number === watch) this.#watched.session.shown(bytes);
      return null;
    },
    timeline: async ({ session }) => {
      const { view } = this.#options;
      return view.timelines.of(session, view.board.recordingOf(session));
    },
    type: async ({ session, text, isBinary }) => {
      const bytes = Buffer.from(text, isBinary ? 'latin1' : 'utf8');
      await this.#options.sessions.type(session, bytes, this.#call);
      return null;
    },
    typeSecret: async ({ session, value }) => {
      // A person has chosen to type it here, whatever is behind the prompt.
      const secret = { name: TYPED_SECRET, value, allow: ['raw', 'remote'] as const };
      const input = { secret, until: 'now' as const };
      await this.#options.sessions.send(session, input, { ...this.#call, reader: VIEWER_READER });
      this.#endLink();
      return null;
    },
    take: async ({ session }) => {
      await this.#options.sessions.take(session, this.#call);
      this.#taken.add(session);
      return null;
    },
    giveBack: async ({ session }) => {
      await this.#options.sessions.giveBack(session, this.#call);
      this.#taken.delete(session);
      return null;
    },
    fit: async ({ session, cols, rows }) => {
      const { sessions } = this.#options;
      if (sessions.attach === undefined) await sessions.resize(session, cols, rows);
      else await sessions.attach(session, { cols, rows });
      this.#fitted.add(session);
      return null;
    },
    leaveSize: async ({ session }) => {
      this.#fitted.delete(session);
      await this.#options.sessions.detach?.(session);
      return null;
    },
    resize: async ({ session, cols, rows }) => {
      await this.#options.sessions.resize(session, cols, rows);
      return null;
    },
    signal: async ({ session, signal }) => {
      await this.#options.sessions.signal(session, signal);
      return null;
    },
    close: async ({ session, force = false }) => {
      const { survivors } = await this.#options.sessions.close(session, { force });
      return { survivors: survivors.map(({ pid, name }) => `${name} (${pid})`) };
    },
    answer: async ({ id, answer }) => {
      const { sessions, view, actor } = this.#options;
      if (sessions.answer === undefined)
        throw new UnusableArgument('answer', 'these sessions have no approvals');
      const approval = view.approvals.find((each) => each.id === id);
      await sessions.answer(id, answer);
      this.#endLink();
      if (approval !== undefined) {
        const { session, act, what } = approval;
        view.timelines.note(session, 'approval', `${actor}: ${answer}, to ${act} ${what}`);
      }
      return null;
    },
    recordings: async ({ search }) => {
      const { recordings, board } = this.#options.view;
      return (await recordings?.list(board.openRecordings, search)) ?? [];
    },
  };

  /** After the answer: who waits for it may close the page's connection. */
  #endLink(): void {
    const { onDone } = this.#options.grant;
    if (onDone !== undefined) setImmediate(onDone);
  }

  #onWatchedChange(watch: number, event: SessionEvent): void {
    const { type } = event;
    if (type === 'resized')
      this.#tell({ news: 'resized', watch, cols: event.cols, rows: event.rows });
    else if (type === 'renamed') this.#tell({ news: 'renamed', watch, to: event.to });
    else if (type === 'closed') this.#tell({ news: 'closed', watch });
  }

  #sendOutput(watch: number, bytes: Uint8Array): void {
    const frame = Buffer.allocUnsafe(4 + bytes.length);
    frame.writeUInt32BE(watch);
    frame.set(bytes, 4);
    this.#socket.sendBytes(frame);
  }

  #reply(reply: PageReply): void {
    this.#socket.sendText(JSON.stringify(reply));
  }

  #tell(news: PageNews): void {
    this.#socket.sendText(JSON.stringify(news));
  }
}

/** Typing a secret must not count as reading for anybody. */
const VIEWER_READER = 'viewer';
