import type { Socket } from 'node:net';
import type { ConnectionStage, OtherProtocol } from '../../shared/model/ingest-failure.ts';
import type { FlvTag } from '../flv/flv-tag.ts';
import { ActiveClock } from '../lib/active-clock.ts';
import { runHarmlessly } from '../lib/faults.ts';
import { watchForStall } from '../lib/stall-watch.ts';
import type { PublicationEnd, WayMeasure } from '../publishing/media-publisher.ts';
import { PublishError } from '../publishing/publish-error.ts';
import { AcknowledgementMeter } from './acknowledgement-meter.ts';
import { formatAmf0 } from './amf0.ts';
import { parseCommand } from './commands.ts';
import { createClientHandshake } from './handshake.ts';
import { chunkStream, formatSetChunkSize, formatWindowAcknowledgementSize, messageType, type RtmpMessage } from './messages.ts';
import { PublishNegotiation } from './publish-negotiation.ts';
import { type PeerEnd, RtmpPeer } from './rtmp-peer.ts';
import type { RtmpPublisher, TagRole } from './rtmp-publisher.ts';
import { type QueuedTag, SendQueue } from './send-queue.ts';
import { WayMeter } from './way-meter.ts';

/** Larger than most messages, so few need a second chunk. */
const chunkBytes = 64 * 1024;
/**
 * How often we ask the ingest to acknowledge: some twenty times a second at common bitrates, since only that tells how much
 * waits.
 */
const acknowledgementWindowBytes = 16 * 1024;
/** Ingests that check a key only after they have accepted it (nginx-rtmp's `deny publish`) close at once. */
const settledAfterMs = 3_000;
const maxAmfDepth = 16;
/** An ingest only sends short replies to commands. */
const maxReceivedMessageBytes = 64 * 1024;

/** Marks a script tag as metadata to be kept for later viewers. */
const setDataFrame = formatAmf0('@setDataFrame');

const messageOfKind = {
  audio: { typeId: messageType.audio, chunkStreamId: chunkStream.audio },
  video: { typeId: messageType.video, chunkStreamId: chunkStream.video },
  script: { typeId: messageType.dataAmf0, chunkStreamId: chunkStream.data },
} as const;

export interface PublicationOptions {
  /** A connected socket; the publication closes it. */
  socket: Socket;
  app: string;
  tcUrl: string;
  streamKey: string;
  /** The ingest has taken this key before. */
  wasAccepted: boolean;
  /** The ingest has done a step of its part: the handshake, or the answer to a command. */
  onStep: () => void;
  stallTimeoutMs: number;
  closeGraceMs: number;
  maxQueueMs: number;
  maxQueueBytes: number;
}

/** One publishing connection to an ingest, from handshake to goodbye. */
export class Publication implements RtmpPublisher {
  readonly #started = Promise.withResolvers<void>();
  readonly #closed = Promise.withResolvers<PublicationEnd>();
  readonly #peer: RtmpPeer;
  readonly #negotiation: PublishNegotiation;
  readonly #queue: SendQueue;
  readonly #way = new WayMeter();
  /** Doesn't count time in which this process wasn't scheduled: media that waited only for that was not on its way. */
  readonly #clock = new ActiveClock();
  readonly #acknowledgements = new AcknowledgementMeter(acknowledgementWindowBytes);
  readonly #stopWatching: () => void;
  readonly #closeGraceMs: number;
  /** Undefined before `NetStream.Publish.Start`. */
  #streamId: number | undefined;
  /** The ingest takes the stream: it has acknowledged media, or kept it for some time. */
  #isSettled = false;
  #settling: NodeJS.Timeout | undefined;
  #socketIsFull = false;
  #isOver = false;

  constructor({
    socket,
    app,
    tcUrl,
    streamKey,
    wasAccepted,
    onStep,
    stallTimeoutMs,
    closeGraceMs,
    maxQueueMs,
    maxQueueBytes,
  }: PublicationOptions) {
    this.#closeGraceMs = closeGraceMs;
    this.#queue = new SendQueue({ maxQueueMs, maxQueueBytes });
    this.#peer = new RtmpPeer({
      socket,
      handshake: createClientHandshake(),
      bounds: {
        maxMessageBytes: maxReceivedMessageBytes,
        maxChunkStreams: 64,
        maxPartialBytes: 4 * maxReceivedMessageBytes,
      },
      // Our queue has the limit; the socket holds at most one message more than it wants.
      maxUnsentBytes: Number.POSITIVE_INFINITY,
      closeGraceMs,
      handlers: {
        onOpen: () => {
          this.#peer.send(chunkStream.control, formatSetChunkSize(chunkBytes));
          this.#peer.send(chunkStream.control, formatWindowAcknowledgementSize(acknowledgementWindowBytes));
          this.#negotiation.start();
        },
        onMessage: (message) => this.#receive(message),
        onAcknowledgement: (sequenceNumber) => {
          this.#isSettled = true;
          this.#acknowledge(sequenceNumber);
        },
        onDrain: () => this.#sendQueued(),
        onEnd: (end) => this.#fail(explainEnd(end, this.stage)),
      },
    });
    this.#negotiation = new PublishNegotiation({
      app,
      tcUrl,
      streamKey,
      wasAccepted,
      onStep,
      send: (chunkStreamId, message) => this.#peer.send(chunkStreamId, message),
      onStart: (streamId) => {
        this.#streamId = streamId;
        this.#settling = setTimeout(() => {
          this.#isSettled = true;
        }, settledAfterMs);
        this.#started.resolve();
      },
      onRefusal: (error) => {
        this.#fail(error);
        runHarmlessly(() => this.#peer.close(), 'closing a refused publication');
      },
    });
    this.#stopWatching = watchForStall({
      stallTimeoutMs,
      readProgress: () => this.#findOverdue() ?? this.#peer.sentBytes,
      isWaiting: () => this.#peer.unsentBytes > 0 || this.#findOverdue() !== undefined,
      onStall: () => {
        this.#fail(new PublishError('lost', { code: 'takes-no-data', forMs: stallTimeoutMs }));
        this.#peer.fail('The ingest reads no data.');
      },
    });
    this.#started.promise.catch(() => {});
  }

  /** Resolves at `NetStream.Publish.Start`. @throws {PublishError} */
  get started(): Promise<void> {
    return this.#started.promise;
  }

  /** How far the connection has got, or had got when it ended. */
  get stage(): ConnectionStage {
    const { stage } = this.#negotiation;
    return stage === 'sending' && !this.#isSettled ? 'started' : stage;
  }

  get closed(): Promise<PublicationEnd> {
    return this.#closed.promise;
  }

  get queuedMs(): number {
    return this.#queue.waitedMs(this.#clock.now());
  }

  get inFlightBytes(): number | undefined {
    return this.#acknowledgements.inFlightBytes(this.#peer.sentBytes);
  }

  measureWay(): WayMeasure {
    const queuedMs = this.queuedMs;
    const measure = this.#way.measure(this.#clock.now(), this.#queue.sizeBytes);
    // The ingest never acknowledges: we only know about media that the system doesn't take.
    if (measure === undefined) return { queueMs: queuedMs, waitMs: queuedMs, carried: undefined };
    const { queueMs, waitMs, carried } = measure;
    return { queueMs: Math.max(queueMs, queuedMs), waitMs: Math.max(waitMs, queuedMs), carried };
  }

  get droppedFrames(): number {
    return this.#queue.droppedFrames;
  }

  send(tag: FlvTag, role: TagRole): void {
    if (this.#isOver) return;
    this.#queue.push({ ...tag, role, queuedAtMs: this.#clock.now() });
    if (!this.#socketIsFull) this.#sendQueued();
  }

  async close(): Promise<boolean> {
    if (!this.#isOver) {
      // Media that has waited for longer than the grace period wouldn't get out within it, nor would the goodbye behind it.
      if (this.queuedMs <= this.#closeGraceMs)
        for (let tag = this.#queue.shift(); tag !== undefined; tag = this.#queue.shift()) this.#sendTag(tag);
      this.#negotiation.sayGoodbye();
      this.#end({ kind: 'closed-by-us' }, new PublishError('lost', { code: 'closed', during: this.stage }));
    }
    return this.#peer.close();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  #receive(message: RtmpMessage): void {
    if (message.typeId === messageType.commandAmf0 || message.typeId === messageType.commandAmf3) {
      this.#negotiation.receive(parseCommand(message, maxAmfDepth));
    }
  }

  #sendQueued(): void {
    this.#socketIsFull = false;
    while (!this.#socketIsFull) {
      const tag = this.#queue.shift();
      if (tag === undefined) return;
      this.#socketIsFull = !this.#sendTag(tag);
    }
  }

  #sendTag({ kind, timestampMs, body, queuedAtMs }: QueuedTag): boolean {
    const { typeId, chunkStreamId } = messageOfKind[kind];
    const payload = kind === 'script' ? Buffer.concat([setDataFrame, body]) : body;
    const takesMore = this.#peer.send(chunkStreamId, { typeId, streamId: this.#streamId ?? 0, timestampMs, payload });
    this.#way.sent(this.#peer.sentBytes + this.#peer.unsentBytes, queuedAtMs);
    return takesMore;
  }

  #acknowledge(sequenceNumber: number): void {
    const { sentBytes } = this.#peer;
    this.#acknowledgements.receive(sequenceNumber, sentBytes);
    const inFlightBytes = this.#acknowledgements.inFlightBytes(sentBytes) ?? 0;
    this.#way.acknowledged(sentBytes - inFlightBytes, this.#clock.now());
  }

  #findOverdue(): number | undefined {
    return this.#acknowledgements.findOverdue(this.#peer.sentBytes);
  }

  #fail(error: PublishError): void {
    this.#end({ kind: error.kind === 'refused' ? 'refused' : 'lost', failure: error.failure }, error);
  }

  #end(end: PublicationEnd, error: PublishError): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#stopWatching();
    this.#clock.close();
    clearTimeout(this.#settling);
    this.#started.reject(error);
    this.#closed.resolve(end);
  }
}

function explainEnd(end: PeerEnd, during: ConnectionStage): PublishError {
  switch (end.kind) {
    case 'finished':
      return new PublishError('lost', { code: 'closed', during });
    case 'broken':
      // Servers that close with our data unread reset the connection.
      if (during !== 'sending' && (end.code === 'ECONNRESET' || end.code === 'EPIPE'))
        return new PublishError('lost', { code: 'closed', during });
      return new PublishError('lost', { code: 'connection-broke', reason: end.code });
    case 'failed':
      if (end.firstByte !== undefined)
        return new PublishError('lost', { code: 'not-rtmp', speaks: nameProtocol(end.firstByte) });
      return new PublishError('lost', { code: 'protocol', fault: end.sentence });
    case 'fault':
      return new PublishError('lost', { code: 'internal' }, { cause: end.error });
  }
}

/**
 * The protocol of a server, by its first byte: the `H` of `HTTP/1.1`, or the type of a TLS record (RFC 8446 §5.1): alert or
 * handshake.
 */
function nameProtocol(firstByte: number): OtherProtocol {
  if (firstByte === 0x48) return 'http';
  return firstByte === 21 || firstByte === 22 ? 'tls' : 'unknown';
}
