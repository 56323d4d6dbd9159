import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';

/** 256 bits: not to be guessed. */
const secretBytes = 32;

/** One browser profile is one session; more than this at once is a mistake, and the longest unused goes. */
const defaultMaxSessions = 32;

/**
 * Who may see the browser UI: whoever first shows the one-time token of the printed URL, and then that browser's cookie.
 *
 * All of it is in memory and ends with the process. Secrets are compared by their hashes in constant time.
 */
export class UiSessions {
  readonly #maxSessions: number;
  readonly #onToken: (token: string) => void;
  /** Hashes of session secrets, least recently used first. */
  readonly #sessions = new Set<string>();
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

  /** Trades the current one-time token for a new session's secret; undefined for any other text. */
  exchange(token: string): string | undefined {
    if (!timingSafeEqual(hash(token), this.#tokenHash)) return undefined;
    const next = newSecret();
    this.#tokenHash = hash(next);
    const session = newSecret();
    this.#sessions.add(hash(session).toString('hex'));
    const [oldest] = this.#sessions;
    if (this.#sessions.size > this.#maxSessions && oldest !== undefined) this.#sessions.delete(oldest);
    this.#onToken(next);
    return session;
  }

  /** Whether this is the secret of a session; being used keeps it from being the one that goes. */
  isValid(session: string | undefined): boolean {
    if (session === undefined) return false;
    const key = hash(session).toString('hex');
    if (!this.#sessions.delete(key)) return false;
    this.#sessions.add(key);
    return true;
  }
}

function newSecret(): string {
  return randomBytes(secretBytes).toString('base64url');
}

/** Equal lengths for {@link timingSafeEqual}, and a key that tells nothing by the time its look-up takes. */
function hash(secret: string): Buffer {
  return createHash('sha256').update(secret).digest();
}
