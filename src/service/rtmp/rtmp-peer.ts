import type { Socket } from 'node:net';
import { runHarmlessly } from '../lib/faults.ts';
import { TurnShare, type Worker } from '../lib/turn-share.ts';
import { ChunkReader, type ChunkReaderBounds } from './chunk-reader.ts';
import { ChunkWriter } from './chunk-writer.ts';
import { type Handshake, TlsError } from './handshake.ts';
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

/** Until the other side names its window, it hears an acknowledgement after this many bytes: the value encoders assume. */
const defaultWindowBytes = 2_500_000;

/** The {@link ChunkReader.work} of one turn of the event loop, a few milliseconds, and of one connection at a time. */
const workBounds = { perTurn: 4_096, perSlice: 512 };

/** For connections that share their turns. */
export function createTurns(): TurnShare {
  return new TurnShare(workBounds);
}

/** Why a connection can be used no more, where this end has not closed it. */
export type PeerEnd =
  /** The other side closed its half in good order. */
  | { kind: 'finished' }
  /** The network broke, or the other side was gone before it heard the last of us. */
  | { kind: 'broken'; code: string }
  /** The other side broke the protocol or a bound. */
  | { kind: 'failed'; sentence: string }
  /** A fault of our own code. */
  | { kind: 'fault'; error: unknown };

/** What an end of a connection does with what it hears. */
export interface PeerHandlers {
  /** The handshake is over. */
  onOpen(): void;
  /** It is no RTMP, but an encoder that would send it through TLS. */
  onTls?(): void;
  /** Every message but those the peer deals with itself: chunk sizes, acknowledgements, windows, pings. */
  onMessage(message: RtmpMessage): void;
  /** The socket takes data again after `send` returned false. */
  onDrain?(): void;
  /** Once and last, unless this end closed first. The socket is closed by itself afterwards. */
  onEnd(end: PeerEnd): void;
}

export interface RtmpPeerOptions {
  socket: Socket;
  handshake: Handshake;
  bounds: ChunkReaderBounds;
  /** More than this waiting to be sent means that the other side does not read: the connection fails. */
  maxUnsentBytes: number;
  /** How long a closing socket may take to send what is left and to be closed by the other side. */
  closeGraceMs: number;
  handlers: PeerHandlers;
  /** Whose turns of the event loop it shares; its own by default. */
  turns?: TurnShare;
}

/**
 * One end of an RTMP connection over a socket, in either role: handshake, chunks, acknowledgements and pings.
 *
 * Nothing that the other side sends makes it throw: the connection ends instead, and `onEnd` says why.
 */
export class RtmpPeer {
  readonly #options: RtmpPeerOptions;
  readonly #reader: ChunkReader;
  readonly #writer = new ChunkWriter();
  readonly #gone = Promise.withResolvers<void>();
  #isSocketClosed = false;
  readonly #turns: TurnShare;
  readonly #worker: Worker = { work: (budget) => this.#work(budget) };
  /** What has come and is not read yet, empty where only parts of an aggregate wait: the socket is paused meanwhile. */
  #unread: Buffer | undefined;
  /** How the socket ended, while what came before that is not read yet. */
  #endAfterUnread: PeerEnd | undefined;
  #state: 'handshake' | 'open' | 'over' = 'handshake';
  /** More bytes than this from the beginning, and the connection fails; its owner may move it. */
  receivedBytesBound = Number.POSITIVE_INFINITY;
  #windowBytes = defaultWindowBytes;
  #receivedBytes = 0;
  #acknowledgedBytes = 0;
  #acknowledgedByOther: number | undefined;
  #longestAcknowledgementBytes = 0;

  constructor(options: RtmpPeerOptions) {
    const { socket, handshake, handlers, bounds } = options;
    this.#options = options;
    this.#turns = options.turns ?? createTurns();
    this.#reader = new ChunkReader(bounds, (message) => this.#receive(message));
    socket.setNoDelay(true);
    socket.on('data', (bytes: Buffer) => this.#push(bytes));
    socket.on('drain', () => {
      if (this.#state === 'open') runHarmlessly(() => handlers.onDrain?.(), 'sending on');
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

  /** The bounds of what is read; their owner may widen them while the connection goes on. */
  get bounds(): ChunkReaderBounds {
    return this.#options.bounds;
  }

  /** Bytes the operating system has taken from us, ever: when it stands still, the other side takes nothing. */
  get sentBytes(): number {
    return this.#options.socket.bytesWritten - this.#options.socket.writableLength;
  }

  /** Resolves when the socket is closed, and all that came before is read. */
  get gone(): Promise<void> {
    return this.#gone.promise;
  }

  /** Bytes that have come, ever. */
  get receivedBytes(): number {
    return this.#receivedBytes;
  }

  /** Bytes written that the operating system has not taken yet. */
  get unsentBytes(): number {
    return this.#options.socket.writableLength;
  }

  /** The last number the other side acknowledged, modulo 2^32; undefined before the first. */
  get acknowledgedByOther(): number | undefined {
    return this.#acknowledgedByOther;
  }

  /** The most bytes the other side has let pass between two acknowledgements. */
  get longestAcknowledgementBytes(): number {
    return this.#longestAcknowledgementBytes;
  }

  /** Sends a message; false when the socket would rather wait for `onDrain`. After the end nothing is sent. */
  send(chunkStreamId: number, message: RtmpMessage): boolean {
    if (this.#state === 'over') return false;
    const { socket, maxUnsentBytes } = this.#options;
    const takesMore = socket.write(this.#writer.format(chunkStreamId, message));
    if (socket.writableLength > maxUnsentBytes) this.fail('The peer does not read what it is sent.');
    return takesMore;
  }

  /** Ends the connection for a reason of this end's: `onEnd` is called with it, and the socket destroyed. */
  fail(sentence: string): void {
    this.#finish({ kind: 'failed', sentence });
  }

  /**
   * Sends what is left, closes the socket, and resolves when it is gone; what still arrives is not read.
   *
   * The other side has the grace to do the same; then the socket is destroyed, so that a dead one is not held.
   */
  async close(): Promise<void> {
    this.#stopReading();
    const { socket, closeGraceMs } = this.#options;
    // Only a socket that is read hears the other side close.
    socket.resume();
    const timer = setTimeout(() => socket.destroy(), closeGraceMs);
    socket.end();
    await this.gone;
    clearTimeout(timer);
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

  /** Reads on, as long as the budget lasts. */
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
      this.#finish(error instanceof RtmpProtocolError ? { kind: 'failed', sentence: error.message } : { kind: 'fault', error });
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
      case messageType.acknowledgement: {
        const bytes = parseControlValue(message);
        const sinceLast = (bytes - (this.#acknowledgedByOther ?? 0)) >>> 0;
        this.#longestAcknowledgementBytes = Math.max(this.#longestAcknowledgementBytes, sinceLast);
        this.#acknowledgedByOther = bytes;
        return;
      }
      case messageType.windowAcknowledgementSize:
        this.#windowBytes = parseControlValue(message) || defaultWindowBytes;
        return;
      case messageType.setPeerBandwidth:
        // Our own window is announced from the start, which is all this message asks for (RTMP 1.0 §5.4.5).
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
    runHarmlessly(() => this.#options.handlers.onEnd(end), 'the end of a connection');
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
