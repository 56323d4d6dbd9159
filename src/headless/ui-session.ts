import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import type { Clock } from '../service/ports.ts';
import type { KeptSession, SessionFile } from './session-file.ts';

/** 256 bits can't be guessed. */
const secretBytes = 32;

/**
 * Each browser profile has one session. More than this is a mistake, and the least recently used without an open page is dropped.
 *
 * Nothing else drops a session, not even its age: a session that has expired by a wrong clock is valid again when the clock is right.
 */
const defaultMaxSessions = 32;

/** A browser's credentials, in exchange for a token. */
export interface UiSession {
  /** Sent with every request, and opens the page. Browsers also send it to other ports of the same computer. */
  cookie: string;
  /** Known only to the page, and opens the contract. */
  pageSecret: string;
}

/** A page that is open, for as long as its socket is. */
export interface OpenPage {
  /** The page is still there. */
  heard(): void;
  /** The socket is closed. */
  close(): void;
}

/** A browser that stays away longer than this needs a new URL. */
const maxUnusedMs = 30 * 24 * 60 * 60 * 1000;
/** How far the stored time of a session's last use may be from the real one. */
const maxStoredLagMs = 60 * 60 * 1000;

interface UiSessionsOptions {
  /** Called with each token that replaces a used one. */
  onToken: (token: string) => void;
  /** Uses up a token that was issued while the host runs, besides the printed ones; false for any other text. */
  takeIssued?: (token: string) => Promise<boolean>;
  /** Stores sessions beyond the process; without a file they end with it. */
  file?: SessionFile;
  clock: Pick<Clock, 'now'>;
  maxSessions?: number;
}

/**
 * The browsers that may see the UI. A browser begins a session by being the first to present a one-time token, from the printed URL or an
 * issued one. Its cookie then opens the page; the cookie and the page's own secret open the contract. A session ends after 30 days without
 * use; an open page uses it.
 *
 * Tokens are in memory and end with the process; sessions are stored as hashes. Secrets are compared by their hashes, in
 * constant time.
 */
export class UiSessions {
  readonly #options: UiSessionsOptions;
  /** By the hash of the cookie, least recently used first. */
  readonly #sessions: Map<string, KeptSession>;
  /** The cookie's hash for each open page. */
  readonly #openPages = new Map<OpenPage, string>();
  /** As they are stored. */
  #stored: ReadonlyMap<string, KeptSession>;
  #tokenHash: Buffer;
  /** The first token; `onToken` receives its successors. */
  readonly firstToken: string;

  constructor(options: UiSessionsOptions) {
    this.#options = options;
    this.firstToken = newSecret();
    this.#tokenHash = hash(this.firstToken);
    this.#sessions = new Map(options.file?.read().map((session) => [session.cookieHash, session]));
    this.#stored = new Map(this.#sessions);
  }

  /** Exchanges the printed one-time token for a new session; undefined for any other text. */
  exchange(token: string): UiSession | undefined {
    if (!timingSafeEqual(hash(token), this.#tokenHash)) return undefined;
    const next = newSecret();
    this.#tokenHash = hash(next);
    const session = this.#begin();
    this.#options.onToken(next);
    return session;
  }

  /** Exchanges an issued one-time token for a new session; undefined for any other text. The printed one stays valid. */
  async exchangeIssued(token: string): Promise<UiSession | undefined> {
    return (await this.#options.takeIssued?.(token)) ? this.#begin() : undefined;
  }

  #begin(): UiSession {
    const { clock, maxSessions = defaultMaxSessions } = this.#options;
    const session = { cookie: newSecret(), pageSecret: newSecret() };
    const cookieHash = hash(session.cookie).toString('hex');
    const pageHash = hash(session.pageSecret).toString('hex');
    this.#sessions.set(cookieHash, { cookieHash, pageHash, lastUsedAt: clock.now() });
    const open = new Set(this.#openPages.values());
    for (const key of this.#sessions.keys()) {
      if (this.#sessions.size <= maxSessions) break;
      if (key !== cookieHash && !open.has(key)) this.#sessions.delete(key);
    }
    this.#write();
    return session;
  }

  /** Whether this is the cookie of a session. Using it keeps the session from being dropped. */
  isValid(cookie: string | undefined): boolean {
    return this.#use(cookie) !== undefined;
  }

  /** Whether both belong to the same session. */
  isValidPage({ cookie, pageSecret }: { [Secret in keyof UiSession]: string | undefined }): boolean {
    const session = this.#use(cookie);
    return (
      session !== undefined &&
      pageSecret !== undefined &&
      timingSafeEqual(hash(pageSecret), Buffer.from(session.pageHash, 'hex'))
    );
  }

  /** A page with this cookie has a socket: until that closes, its session neither expires nor is dropped. */
  openPage(cookie: string): OpenPage {
    const key = hash(cookie).toString('hex');
    const page: OpenPage = {
      heard: () => this.#touch(key),
      close: () => {
        this.#openPages.delete(page);
        this.#touch(key);
      },
    };
    this.#openPages.set(page, key);
    return page;
  }

  #use(cookie: string | undefined): KeptSession | undefined {
    if (cookie === undefined) return undefined;
    const key = hash(cookie).toString('hex');
    const session = this.#sessions.get(key);
    if (session === undefined) return undefined;
    const isUnused = this.#options.clock.now() - session.lastUsedAt > maxUnusedMs;
    if (isUnused && ![...this.#openPages.values()].includes(key)) return undefined;
    this.#touch(key);
    return session;
  }

  #touch(key: string): void {
    const session = this.#sessions.get(key);
    if (session === undefined) return;
    const now = this.#options.clock.now();
    this.#sessions.delete(key);
    this.#sessions.set(key, { ...session, lastUsedAt: now });
    const storedAt = this.#stored.get(key)?.lastUsedAt ?? Number.NEGATIVE_INFINITY;
    // In either direction: after the clock was set back, too.
    if (Math.abs(now - storedAt) > maxStoredLagMs) this.#write();
  }

  #write(): void {
    this.#stored = new Map(this.#sessions);
    this.#options.file?.write([...this.#sessions.values()]);
  }
}

function newSecret(): string {
  return randomBytes(secretBytes).toString('base64url');
}

/** Equal lengths for {@link timingSafeEqual}, and a key whose look-up time reveals nothing. */
function hash(secret: string): Buffer {
  return createHash('sha256').update(secret).digest();
}
