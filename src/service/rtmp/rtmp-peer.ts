import type { Socket } from 'node:net';
import { runHarmlessly } from '../lib/faults.ts';
import { TurnShare, type Worker } from '../lib/turn-share.ts';
import { ChunkReader, type ChunkReaderBounds } from './chunk-reader.ts';
import { ChunkWriter } from './chunk-writer.ts';
import { type Handshake, NotRtmpError, TlsError } from './handshake.ts';
import {
  chunkStream,
  formatAcknowledgement,
  formatUserControl,
  messageType,
  parseControlValue,
  parseUserControl,
  type RtmpMessage,
  userControlEvent,
} from './messages.ts';
import { RtmpProtocolError } from './protocol-error.ts';

/**
 * How many bytes may be unacknowledged, both ways: the value that encoders assume. We acknowledge at least this often, whatever window
 * the peer sets, since it may not send more before that (Set Peer Bandwidth, RTMP 1.0 §5.4.5).
 */
export const windowBytes = 2_500_000;

/** Limits on {@link ChunkReader.work}: per event loop turn, which is a few milliseconds, and per connection at a time. */
const workBounds = { perTurn: 4_096, perSlice: 512 };

/** Creates the turns that connections share. */
export function createTurns(): TurnShare {
  return new TurnShare(workBounds);
}

/** Why a connection ended, unless this end closed it. */
export type PeerEnd =
  /** The peer closed its side properly. */
  | { kind: 'finished' }
  /** The network failed, or the peer was gone before it received everything. */
  | { kind: 'broken'; code: string }
  /** The peer broke the protocol or exceeded a limit. `firstByte` is set if its protocol isn't RTMP at all. */
  | { kind: 'failed'; sentence: string; firstByte?: number }
  /** A bug in our own code. */
  | { kind: 'fault'; error: unknown };

/** Callbacks of one end of a connection. */
export interface PeerHandlers {
  /** The handshake is complete. */
  onOpen(): void;
  /** The peer is not plain RTMP but starts TLS, as an encoder set to RTMPS does. */
  onTls?(): void;
  /** Called for every message except those handled here: chunk sizes, acknowledgements, windows, pings. */
  onMessage(message: RtmpMessage): void;
  /** The peer has received this many bytes, modulo 2^32. */
  onAcknowledgement?(sequenceNumber: number): void;
  /** The socket accepts data again after `send` returned false. */
  onDrain?(): void;
  /** Called once, last, unless this end closed first. The socket then closes by itself. */
  onEnd(end: PeerEnd): void;
}

export interface RtmpPeerOptions {
  socket: Socket;
  handshake: Handshake;
  bounds: ChunkReaderBounds;
  /** If more than this waits to be sent, the peer is not reading and the connection fails. */
  maxUnsentBytes: number;
  /** How long a closing socket may take to send the rest and for the peer to close. */
  closeGraceMs: number;
  handlers: PeerHandlers;
  /** The event loop turns it shares with other connections; by default its own. */
  turns?: TurnShare;
}

/**
 * One end of an RTMP connection over a socket, in either role: handshake, chunks, acknowledgements and pings.
 *
 * Never throws because of the peer's data: the connection ends instead, and `onEnd` gives the reason.
 */
export class RtmpPeer {
  readonly #options: RtmpPeerOptions;
  readonly #reader: ChunkReader;
  readonly #writer = new ChunkWriter();
  readonly #gone = Promise.withResolvers<void>();
  #isSocketClosed = false;
  readonly #turns: TurnShare;
  readonly #worker: Worker = { work: (budget) => this.#work(budget) };
  /** Received bytes that are not read yet; empty if only parts of an aggregate wait. The socket is paused meanwhile. */
  #unread: Buffer | undefined;
  /** How the socket ended, while bytes received before that are still unread. */
  #endAfterUnread: PeerEnd | undefined;
  #state: 'handshake' | 'open' | 'over' = 'handshake';
  /** The connection fails if it receives more bytes than this in total; the owner may change it. */
  receivedBytesBound = Number.POSITIVE_INFINITY;
  #windowBytes = windowBytes;
  #receivedBytes = 0;
  #acknowledgedBytes = 0;

  constructor(options: RtmpPeerOptions) {
    const { socket, handshake, handlers, bounds } = options;
    this.#options = options;
    this.#turns = options.turns ?? createTurns();
    this.#reader = new ChunkReader(bounds, (message) => this.#receive(message));
    socket.setNoDelay(true);
    socket.on('data', (bytes: Buffer) => this.#push(bytes));
    socket.on('drain', () => {
      if (this.#state === 'open') runHarmlessly(() => handlers.onDrain?.(), 'resuming to send');
    });
    socket.on('error', (error: NodeJS.ErrnoException) =>
      this.#finishWhenRead({ kind: 'broken', code: error.code ?? error.name }),
    );
    socket.once('end', () => this.#finishWhenRead({ kind: 'finished' }));
    socket.once('close', () => {
      this.#isSocketClosed = true;
      this.#finishWhenRead({ kind: 'finished' });
      this.#tellIfGone();
    });
    if (handshake.opening !== undefined) socket.write(handshake.opening);
  }

  /** The reader's limits; the owner may raise them at any time. */
  get bounds(): ChunkReaderBounds {
    return this.#options.bounds;
  }

  /** Bytes that the operating system has accepted in total; if it stops growing, the peer is not reading. */
  get sentBytes(): number {
    return this.#options.socket.bytesWritten - this.#options.socket.writableLength;
  }

  /** Resolves when the socket is closed and everything received has been read. */
  get gone(): Promise<void> {
    return this.#gone.promise;
  }

  /** Bytes received in total. */
  get receivedBytes(): number {
    return this.#receivedBytes;
  }

  /** Bytes written that the operating system has not accepted yet. */
  get unsentBytes(): number {
    return this.#options.socket.writableLength;
  }

  /** Sends a message; returns false if the caller should wait for `onDrain`. Does nothing after the end. */
  send(chunkStreamId: number, message: RtmpMessage): boolean {
    if (this.#state === 'over') return false;
    const { socket, maxUnsentBytes } = this.#options;
    const takesMore = socket.write(this.#writer.format(chunkStreamId, message));
    if (socket.writableLength > maxUnsentBytes) this.fail('The peer does not read what it is sent.');
    return takesMore;
  }

  /**
   * Ends the connection for our own reason: calls `onEnd` with it and destroys the socket, without the grace period of a closing
   * one.
   */
  fail(sentence: string): void {
    this.#finish({ kind: 'failed', sentence });
    this.#options.socket.destroy();
  }

  /**
   * Sends the rest, closes the socket, and resolves when it is gone, with whether the peer has everything. Data that still
   * arrives is not read.
   *
   * The peer has the grace period to close too. Then the socket is destroyed, so that a dead one is not kept.
   */
  async close(): Promise<boolean> {
    this.#stopReading();
    const { socket, closeGraceMs } = this.#options;
    // A paused socket does not notice that the peer closes.
    socket.resume();
    // Timers run before sockets are read: if this process was held up, the peer may have closed in time, but that is still
    // unread.
    const timer = setTimeout(() => setImmediate(() => socket.destroy()), closeGraceMs);
    socket.end();
    await this.gone;
    clearTimeout(timer);
    // The peer closed because we did, rather than breaking off.
    return socket.writableFinished && socket.readableEnded;
  }

  #push(bytes: Buffer): void {
    if (this.#state === 'over') return;
    this.#receivedBytes += bytes.length;
    if (this.#receivedBytes > this.receivedBytesBound) {
      this.fail('Too many bytes arrived before publish.');
      return;
    }
    this.#unread = this.#unread === undefined ? bytes : Buffer.concat([this.#unread, bytes]);
    this.#turns.begin(this.#worker);
    if (this.#unread !== undefined) this.#options.socket.pause();
  }

  /** Reads until the budget is used up. */
  #work(budget: number): { spent: number; done: boolean } {
    const before = this.#reader.work;
    try {
      const bytes = this.#unread ?? Buffer.alloc(0);
      const rest = this.#state === 'handshake' ? this.#shakeHands(bytes) : bytes;
      const read = rest === undefined ? 0 : this.#reader.push(rest, budget);
      const isRead = rest === undefined || (read === rest.length && !this.#reader.hasMore) || this.#state === 'over';
      this.#unread = isRead ? undefined : rest.subarray(read);
      if (this.#unread === undefined) this.#acknowledge();
    } catch (error) {
      if (error instanceof TlsError) this.#options.handlers.onTls?.();
      this.#finish(explainFault(error));
    }
    const done = this.#unread === undefined;
    const { socket } = this.#options;
    if (done && this.#endAfterUnread !== undefined) this.#finish(this.#endAfterUnread);
    else if (done && socket.isPaused()) socket.resume();
    return { spent: this.#reader.work - before, done };
  }

  #shakeHands(bytes: Buffer): Buffer | undefined {
    const { reply, rest } = this.#options.handshake.push(bytes);
    if (reply !== undefined) this.#options.socket.write(reply);
    if (rest !== undefined) {
      this.#state = 'open';
      this.#options.handlers.onOpen();
    }
    return rest;
  }

  #receive(message: RtmpMessage): void {
    switch (message.typeId) {
      case messageType.acknowledgement:
        this.#options.handlers.onAcknowledgement?.(parseControlValue(message));
        return;
      case messageType.windowAcknowledgementSize:
        this.#windowBytes = Math.min(parseControlValue(message) || windowBytes, windowBytes);
        return;
      case messageType.setPeerBandwidth:
        // We announce our window from the start, which is all this message asks for (RTMP 1.0 §5.4.5).
        return;
      case messageType.userControl: {
        const { event, value } = parseUserControl(message);
        if (event === userControlEvent.pingRequest) {
          this.send(chunkStream.control, formatUserControl(userControlEvent.pingResponse, value ?? 0));
        }
        return;
      }
      default:
        this.#options.handlers.onMessage(message);
    }
  }

  #acknowledge(): void {
    if (this.#receivedBytes - this.#acknowledgedBytes < this.#windowBytes) return;
    this.#acknowledgedBytes = this.#receivedBytes;
    this.send(chunkStream.control, formatAcknowledgement(this.#receivedBytes));
  }

  #finishWhenRead(end: PeerEnd): void {
    if (this.#unread === undefined) this.#finish(end);
    else this.#endAfterUnread ??= end;
  }

  #finish(end: PeerEnd): void {
    if (this.#state === 'over') return;
    this.#stopReading();
    if (end.kind === 'finished') runHarmlessly(() => this.close(), 'closing a connection');
    else this.#options.socket.destroy();
    runHarmlessly(() => this.#options.handlers.onEnd(end), 'ending a connection');
  }

  #stopReading(): void {
    this.#state = 'over';
    this.#reader.stop();
    this.#turns.leave(this.#worker);
    this.#unread = undefined;
    this.#tellIfGone();
  }

  #tellIfGone(): void {
    if (this.#isSocketClosed && this.#unread === undefined) this.#gone.resolve();
  }
}

function explainFault(error: unknown): PeerEnd {
  if (!(error instanceof RtmpProtocolError)) return { kind: 'fault', error };
  return { kind: 'failed', sentence: error.message, ...(error instanceof NotRtmpError && { firstByte: error.firstByte }) };
}
