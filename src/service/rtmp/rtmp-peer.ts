import type { Socket } from 'node:net';
import { ChunkReader, type ChunkReaderBounds } from './chunk-reader.ts';
import { ChunkWriter } from './chunk-writer.ts';
import type { Handshake } from './handshake.ts';
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
  readonly #gone: Promise<void>;
  #state: 'handshake' | 'open' | 'over' = 'handshake';
  #windowBytes = defaultWindowBytes;
  #receivedBytes = 0;
  #acknowledgedBytes = 0;
  #acknowledgedByOther: number | undefined;
  #longestAcknowledgementBytes = 0;

  constructor(options: RtmpPeerOptions) {
    const { socket, handshake, handlers, bounds } = options;
    this.#options = options;
    this.#reader = new ChunkReader(bounds, (message) => this.#receive(message));
    this.#gone = new Promise((resolve) => socket.once('close', () => resolve()));
    socket.setNoDelay(true);
    socket.on('data', (bytes: Buffer) => this.#push(bytes));
    socket.on('drain', () => {
      if (this.#state === 'open') handlers.onDrain?.();
    });
    socket.on('error', (error: NodeJS.ErrnoException) => this.#finish({ kind: 'broken', code: error.code ?? error.name }));
    socket.once('end', () => this.#finish({ kind: 'finished' }));
    socket.once('close', () => this.#finish({ kind: 'finished' }));
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
    if (socket.writableLength > maxUnsentBytes) this.fail('The other side does not read what it is sent.');
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
    this.#state = 'over';
    this.#reader.stop();
    const { socket, closeGraceMs } = this.#options;
    const timer = setTimeout(() => socket.destroy(), closeGraceMs);
    socket.end();
    await this.#gone;
    clearTimeout(timer);
  }

  #push(bytes: Buffer): void {
    if (this.#state === 'over') return;
    try {
      this.#receivedBytes += bytes.length;
      const rest = this.#state === 'handshake' ? this.#shakeHands(bytes) : bytes;
      if (rest !== undefined) this.#reader.push(rest);
      this.#acknowledge();
    } catch (error) {
      this.#finish(error instanceof RtmpProtocolError ? { kind: 'failed', sentence: error.message } : { kind: 'fault', error });
    }
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

  #finish(end: PeerEnd): void {
    if (this.#state === 'over') return;
    this.#state = 'over';
    this.#reader.stop();
    if (end.kind === 'finished') void this.close();
    else this.#options.socket.destroy();
    this.#options.handlers.onEnd(end);
  }
}
