import type { Socket } from 'node:net';

/** The faults of a network in one direction. */
export interface LaneFaults {
  /** How long bytes travel, in milliseconds. */
  delayMs: number;
  /** Up to this much longer, at random, as on a busy wireless network. */
  jitterMs: number;
  /** Its capacity; undefined: unlimited. */
  bitsPerSecond: number | undefined;
  /** `stalls`: bytes are neither taken nor delivered. `loses`: they are taken, and vanish. */
  state: 'works' | 'stalls' | 'loses';
}

export const noFaults: LaneFaults = { delayMs: 0, jitterMs: 0, bitsPerSecond: undefined, state: 'works' };

/** How much may wait for a slow line, as in a router: then the sender has to wait. */
const maxWaitingBytes = 64 * 1024;
/** How often a slow line delivers, instead of one large packet after a long pause. */
const pieceMs = 20;

interface Piece {
  bytes: Buffer;
  /** When it has travelled, in milliseconds of `performance.now()`. */
  arrivesMs: number;
}

/** One direction of a connection: takes data that `from` receives, and delivers it to `to` in order, as far as the faults allow. */
export class FaultLane {
  readonly #from: Socket;
  readonly #to: Socket;
  readonly #onDelivered: () => void;
  #faults: LaneFaults;
  #pieces: Piece[] = [];
  /** Bytes that are in flight, or have travelled and wait for the line to be free. */
  #waitingBytes = 0;
  /** When a slow line has sent its last piece. */
  #freeAtMs = 0;
  #timer: NodeJS.Timeout | undefined;
  #hasEnded = false;

  constructor(from: Socket, to: Socket, faults: LaneFaults, onDelivered: () => void) {
    this.#from = from;
    this.#to = to;
    this.#faults = faults;
    this.#onDelivered = onDelivered;
    from.on('data', (bytes: Buffer) => this.#take(bytes));
    from.on('end', () => {
      this.#hasEnded = true;
      this.#deliver();
    });
    to.on('drain', () => this.#deliver());
    from.on('close', () => clearTimeout(this.#timer));
    this.#followState();
  }

  set faults(faults: LaneFaults) {
    this.#faults = faults;
    if (faults.state === 'loses') this.#loseWaiting();
    this.#deliver();
  }

  #followState(): void {
    if (this.#faults.state === 'stalls' || this.#isFull) this.#from.pause();
    else this.#from.resume();
  }

  get #isFull(): boolean {
    const { state, bitsPerSecond, delayMs } = this.#faults;
    const travellingBytes = ((bitsPerSecond ?? 0) / 8_000) * delayMs;
    return state === 'works' && bitsPerSecond !== undefined && this.#waitingBytes > maxWaitingBytes + travellingBytes;
  }

  #loseWaiting(): void {
    this.#pieces = [];
    this.#waitingBytes = 0;
  }

  #take(bytes: Buffer): void {
    const { state, delayMs, jitterMs, bitsPerSecond } = this.#faults;
    if (state === 'loses') return;
    const arrivesMs = performance.now() + delayMs + Math.random() * jitterMs;
    const pieceBytes = bitsPerSecond === undefined ? bytes.length : Math.max(1_460, (bitsPerSecond / 8_000) * pieceMs);
    for (let at = 0; at < bytes.length; at += pieceBytes) {
      this.#pieces.push({ bytes: bytes.subarray(at, at + pieceBytes), arrivesMs });
    }
    this.#waitingBytes += bytes.length;
    this.#deliver();
  }

  #deliver(): void {
    clearTimeout(this.#timer);
    while (this.#faults.state === 'works' && !this.#to.writableNeedDrain) {
      const [next] = this.#pieces;
      if (next === undefined) {
        if (this.#hasEnded && !this.#to.writableEnded) this.#to.end();
        break;
      }
      const { bitsPerSecond } = this.#faults;
      const now = performance.now();
      const dueMs = bitsPerSecond === undefined ? next.arrivesMs : Math.max(next.arrivesMs, this.#freeAtMs);
      if (dueMs > now) {
        this.#timer = setTimeout(() => this.#deliver(), dueMs - now);
        break;
      }
      this.#pieces.shift();
      this.#waitingBytes -= next.bytes.length;
      if (bitsPerSecond !== undefined)
        this.#freeAtMs = Math.max(dueMs, now - pieceMs) + (next.bytes.length * 8_000) / bitsPerSecond;
      this.#to.write(next.bytes);
      this.#onDelivered();
    }
    this.#followState();
  }
}
