import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';

/** 256 bits: not to be guessed. */
const secretBytes = 32;

/** One browser profile is one session; more than this at once is a mistake, and the longest unused goes. */
const defaultMaxSessions = 32;

/** What a browser gets for a token. */
export interface UiSession {
  /** Sent with every request, which opens the page; browsers send it to other ports of the same computer too. */
  cookie: string;
  /** Kept by the page alone, which opens the contract. */
  pageSecret: string;
}

/**
 * Who may see the browser UI: whoever first shows the one-time token of the printed URL, and then that browser: its cookie opens
 * the page, the cookie and the page's own secret the contract.
 *
 * All of it is in memory and ends with the process. Secrets are compared by their hashes in constant time.
 */
export class UiSessions {
  readonly #maxSessions: number;
  readonly #onToken: (token: string) => void;
  /** Hashes of page secrets by those of cookies, least recently used first. */
  readonly #sessions = new Map<string, Buffer>();
  #tokenHash: Buffer;
  /** The first token; its successors are told to `onToken`. */
  readonly firstToken: string;

  /** @param onToken hears each token that takes the place of a used one. */
  constructor({ onToken, maxSessions = defaultMaxSessions }: { onToken: (token: string) => void; maxSessions?: number }) {
    this.#maxSessions = maxSessions;
    this.#onToken = onToken;
    this.firstToken = newSecret();
    this.#tokenHash = hash(this.firstToken);
  }

  /** Trades the current one-time token for a new session; undefined for any other text. */
  exchange(token: string): UiSession | undefined {
    if (!timingSafeEqual(hash(token), this.#tokenHash)) return undefined;
    const next = newSecret();
    this.#tokenHash = hash(next);
    const session = { cookie: newSecret(), pageSecret: newSecret() };
    this.#sessions.set(hash(session.cookie).toString('hex'), hash(session.pageSecret));
    const [oldest] = this.#sessions.keys();
    if (this.#sessions.size > this.#maxSessions && oldest !== undefined) this.#sessions.delete(oldest);
    this.#onToken(next);
    return session;
  }

  /** Whether this is the cookie of a session; being used keeps it from being the one that goes. */
  isValid(cookie: string | undefined): boolean {
    return this.#use(cookie) !== undefined;
  }

  /** Whether both are of one and the same session. */
  isValidPage({ cookie, pageSecret }: { [Secret in keyof UiSession]: string | undefined }): boolean {
    const pageHash = this.#use(cookie);
    return pageHash !== undefined && pageSecret !== undefined && timingSafeEqual(hash(pageSecret), pageHash);
  }

  #use(cookie: string | undefined): Buffer | undefined {
    if (cookie === undefined) return undefined;
    const key = hash(cookie).toString('hex');
    const pageHash = this.#sessions.get(key);
    if (pageHash === undefined) return undefined;
    this.#sessions.delete(key);
    this.#sessions.set(key, pageHash);
    return pageHash;
  }
}

function newSecret(): string {
  return randomBytes(secretBytes).toString('base64url');
}

/** Equal lengths for {@link timingSafeEqual}, and a key that tells nothing by the time its look-up takes. */
function hash(secret: string): Buffer {
  return createHash('sha256').update(secret).digest();
}
