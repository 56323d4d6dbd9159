import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import type { Clock } from '../service/ports.ts';
import type { KeptSession, SessionFile } from './session-file.ts';

/** 256 bits can't be guessed. */
const secretBytes = 32;

/** Each browser profile has one session. More at once than this is a mistake, and the least recently used is dropped. */
const defaultMaxSessions = 32;

/** What a browser gets for a token. */
export interface UiSession {
  /** Sent with every request, and opens the page. Browsers also send it to other ports of the same computer. */
  cookie: string;
  /** Known only to the page, and opens the contract. */
  pageSecret: string;
}

/** A browser that stays away longer than this needs a new URL. */
const maxUnusedMs = 30 * 24 * 60 * 60 * 1000;
/** How often a session's last use is written to disk. */
const writeUseEveryMs = 60 * 60 * 1000;

interface UiSessionsOptions {
  /** Called with each token that replaces a used one. */
  onToken: (token: string) => void;
  /** Uses up a token that was issued while the host runs, besides the printed ones; false for any other text. */
  takeIssued?: (token: string) => Promise<boolean>;
  /** Where sessions outlive the process; without it they end with it. */
  file?: SessionFile;
  clock: Pick<Clock, 'now'>;
  maxSessions?: number;
}

/**
 * Who may see the browser UI: whoever first presents a one-time token, that of the printed URL or an issued one, then that browser. Its cookie opens
 * the page; the cookie and the page's own secret open the contract. A session ends after 30 days without use.
 *
 * Tokens are in memory and end with the process; sessions are stored as hashes. Secrets are compared by their hashes, in
 * constant time.
 */
export class UiSessions {
  readonly #options: UiSessionsOptions;
  /** By the hash of the cookie, least recently used first. */
  readonly #sessions: Map<string, KeptSession>;
  #tokenHash: Buffer;
  #writtenAt: number;
  /** The first token; `onToken` receives its successors. */
  readonly firstToken: string;

  constructor(options: UiSessionsOptions) {
    this.#options = options;
    this.firstToken = newSecret();
    this.#tokenHash = hash(this.firstToken);
    this.#writtenAt = options.clock.now();
    this.#sessions = new Map(options.file?.read().map((session) => [session.cookieHash, session]));
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
    const [oldest] = this.#sessions.keys();
    if (this.#sessions.size > maxSessions && oldest !== undefined) this.#sessions.delete(oldest);
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

  #use(cookie: string | undefined): KeptSession | undefined {
    if (cookie === undefined) return undefined;
    const key = hash(cookie).toString('hex');
    const session = this.#sessions.get(key);
    if (session === undefined) return undefined;
    const now = this.#options.clock.now();
    this.#sessions.delete(key);
    if (now - session.lastUsedAt > maxUnusedMs) return undefined;
    this.#sessions.set(key, { ...session, lastUsedAt: now });
    if (now - this.#writtenAt > writeUseEveryMs) this.#write();
    return session;
  }

  #write(): void {
    this.#writtenAt = this.#options.clock.now();
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
