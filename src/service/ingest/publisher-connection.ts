import type { Socket } from 'node:net';
import { TLSSocket } from 'node:tls';
import { cutText } from '../../shared/cut-text.ts';
import type { PublishProtocol } from '../../shared/model/live.ts';
import type { LossCause } from '../../shared/model/refusal.ts';
import { describeLossCause } from '../../shared/words/loss-words.ts';
import type { IngestBounds } from '../config.ts';
import { runHarmlessly } from '../lib/faults.ts';
import type { SeldomLog } from '../lib/log-seldom.ts';
import { type SilenceWatch, watchForSilence } from '../lib/silence-watch.ts';
import type { TurnShare } from '../lib/turn-share.ts';
import type { Clock, Logger } from '../ports.ts';
import { type Command, parseCommand, withoutAmf3Prefix } from '../rtmp/commands.ts';
import { createServerHandshake } from '../rtmp/handshake.ts';
import { chunkStream, messageType, type RtmpMessage } from '../rtmp/messages.ts';
import { RtmpProtocolError } from '../rtmp/protocol-error.ts';
import { type PeerEnd, RtmpPeer } from '../rtmp/rtmp-peer.ts';
import type { FailedKeyLimit } from './failed-key-limit.ts';
import { type DoorAnswer, MediaDoor } from './media-door.ts';
import { PublishDialogue } from './publish-dialogue.ts';
import type { Publisher, PublisherEnd, PublisherSink, PublishGate } from './publish-gate.ts';
import { formatRefusal } from './refusal.ts';

/** Limit on incomplete messages before `publish` is admitted; only commands come then. */
const unpublishedPartialBytes = 256 * 1024;
/** Room for some audio beside the longest video message. */
const extraPartialBytes = 1024 * 1024;
/** Encoders use up to ten chunk streams. */
const maxChunkStreams = 64;
/** Our replies are a few hundred bytes each: a connection that leaves this much unsent is not reading. */
const maxUnsentBytes = 256 * 1024;
const closeGraceMs = 1_000;
/** Longest logged part of a command name, which can be any text. */
const maxLoggedName = 40;

export interface PublisherConnectionOptions {
  socket: Socket;
  remoteAddress: string;
  bounds: IngestBounds;
  gate: PublishGate;
  failedKeys: FailedKeyLimit;
  turns: TurnShare;
  /** Called when its stream key is found valid. */
  onAdmitted: () => void;
  /** For lines about connections that never published: limited in number, since there may be very many. */
  strangersLog: SeldomLog;
  clock: Pick<Clock, 'monotonicMs'>;
  log: Logger;
}

/** One publisher connection, from its handshake to its end. */
export class PublisherConnection implements Publisher {
  readonly protocol: PublishProtocol;
  readonly remoteAddress: string;
  connectedAt: number;
  readonly #options: PublisherConnectionOptions;
  readonly #peer: RtmpPeer;
  readonly #dialogue: PublishDialogue;
  readonly #handshakeDeadline: NodeJS.Timeout;
  /** Runs until `publish` is admitted, or a refusal is sent. */
  #deadline: NodeJS.Timeout;
  /** Runs once `publish` is admitted: waits for the next media that can be used. */
  #silence: SilenceWatch | undefined;
  #sink: PublisherSink | undefined;
  #door: MediaDoor | undefined;
  #isOver = false;
  #hasPublished = false;
  /** The stream of the last key that it sent, if any has that key. */
  #streamId: string | undefined;
  /** Whether the last media of this publication, if any came, can't be used. */
  #isUnusable = false;
  /** Whether it didn't publish in time, or others needed its slot. */
  #isGivenUp = false;
  /** Whether a refusal is being sent; nothing more is read then. */
  #isRefused = false;

  constructor(options: PublisherConnectionOptions) {
    const { socket, remoteAddress, bounds, clock, turns } = options;
    this.#options = options;
    this.protocol = socket instanceof TLSSocket ? 'RTMPS' : 'RTMP';
    this.remoteAddress = remoteAddress;
    this.connectedAt = clock.monotonicMs();
    this.#peer = new RtmpPeer({
      socket,
      handshake: createServerHandshake(),
      bounds: {
        maxMessageBytes: bounds.maxMessageBytes,
        maxChunkStreams,
        maxPartialBytes: unpublishedPartialBytes,
      },
      maxUnsentBytes,
      closeGraceMs,
      turns,
      handlers: {
        onOpen: () => clearTimeout(this.#handshakeDeadline),
        onTls: () => options.gate.refuseUnheard(this, { code: 'rtmps' }),
        onMessage: (message) => this.#receive(message),
        onEnd: (end) => this.#onPeerEnd(end),
      },
    });
    this.#peer.receivedBytesBound = bounds.maxUnpublishedBytes;
    this.#dialogue = new PublishDialogue({
      send: (message) => this.#send(message),
      onPublish: (streamKey) => this.#publish(streamKey),
      onUnpublish: () => this.#unpublish(),
      onRefused: ({ code }) => {
        // A player that connects is not a refused publisher.
        if (code === 'wrong-app') options.gate.refuseUnheard(this, { code });
        this.#closeBecause({ code });
      },
    });
    this.#handshakeDeadline = this.#startDeadline(bounds.handshakeTimeoutMs, 'The handshake did not complete');
    this.#deadline = this.#startPublishDeadline();
  }

  /** Resolves when the connection is completely gone. */
  get gone(): Promise<void> {
    return this.#peer.gone;
  }

  get isPublishing(): boolean {
    return this.#sink !== undefined;
  }

  get software(): string | undefined {
    return this.#dialogue.software;
  }

  close(cause: LossCause): void {
    this.#dropSink();
    if (this.#isOver) return;
    this.#refuse(cause);
  }

  /** Closes a connection that isn't publishing, without a grace period; `reason` is a sentence for the log. */
  giveUp(reason: string): void {
    this.#isGivenUp = true;
    this.#peer.fail(reason);
  }

  /** Closes the connection because the service is closing; resolves when its socket is gone. */
  async shutDown(): Promise<void> {
    if (!this.#isOver) this.#refuse({ code: 'ingest-closing' });
    await this.#peer.close();
  }

  #receive(message: RtmpMessage): void {
    if (this.#isRefused) return;
    switch (message.typeId) {
      case messageType.commandAmf0:
      case messageType.commandAmf3:
        this.#receiveCommand(parseCommand(message, this.#options.bounds.maxAmfDepth), message.streamId);
        return;
      default:
        this.#receiveMedia(message);
    }
  }

  /** Logs only the command's name: its values include the stream key. */
  #receiveCommand(command: Command, streamId: number): void {
    this.#options.log.debug({ ...this.#trace, command: cutText(command.name, maxLoggedName) }, 'A command arrived.');
    this.#dialogue.receive(command, streamId);
  }

  /** Handles audio, video and script messages. Other types, and media before `publish` or after the end, are ignored. */
  #receiveMedia({ typeId, timestampMs, payload }: RtmpMessage): void {
    if (this.#door === undefined) return;
    switch (typeId) {
      case messageType.audio:
        this.#follow(this.#door.take({ kind: 'audio', timestampMs, body: payload }));
        return;
      case messageType.video:
        this.#follow(this.#door.take({ kind: 'video', timestampMs, body: payload }));
        return;
      case messageType.dataAmf0:
        this.#door.takeScript(payload);
        return;
      case messageType.dataAmf3:
        this.#door.takeScript(withoutAmf3Prefix(payload));
        return;
    }
  }

  #follow(answer: DoorAnswer): void {
    if (answer.kind === 'taken') this.#silence?.heard();
    if (answer.kind !== 'nothing') this.#isUnusable = answer.kind === 'unusable';
    if (answer.kind === 'refused') this.#refuse(answer.cause);
  }

  #publish(streamKey: string): void {
    if (this.#sink !== undefined)
      throw new RtmpProtocolError('A second publish command arrived while the first stream was running.');
    const { bounds, clock, failedKeys, gate, log } = this.#options;
    if (this.#hasPublished) this.connectedAt = clock.monotonicMs();
    const answer = gate.admit(streamKey, this);
    this.#streamId = answer.streamId;
    if (answer.kind === 'refused') {
      const { reason } = answer;
      const isWrongKey = reason.code === 'wrong-key';
      if (isWrongKey && failedKeys.isReached(this.remoteAddress)) this.#refuseLater(reason);
      else this.#refuse(reason);
      if (isWrongKey) failedKeys.recordFailure(this.remoteAddress);
      return;
    }
    if (this.#isOver) return;
    this.#sink = answer.sink;
    this.#door = new MediaDoor(answer.sink);
    this.#hasPublished = true;
    this.#isUnusable = false;
    this.#options.onAdmitted();
    this.#peer.receivedBytesBound = Number.POSITIVE_INFINITY;
    this.#peer.bounds.maxPartialBytes = bounds.maxMessageBytes + extraPartialBytes;
    clearTimeout(this.#deadline);
    this.#silence = watchForSilence({
      limitMs: bounds.mediaTimeoutMs,
      onSilence: () => {
        const isUnusable = this.#isUnusable && { isUnusable: true as const };
        this.#refuse({ code: 'no-media', forMs: bounds.mediaTimeoutMs, ...isUnusable });
      },
      monotonicMs: () => clock.monotonicMs(),
    });
    this.#dialogue.accept();
    log.info(this.#trace, 'A publisher started.');
  }

  #unpublish(): void {
    if (this.#sink === undefined) return;
    this.#endSink({ kind: 'unpublished' });
    this.#dialogue.confirmEnd();
    // `maxPartialBytes` stays, since a message that has begun may be longer than a command; the bytes that arrive are bounded
    // here.
    this.#peer.receivedBytesBound = this.#peer.receivedBytes + this.#options.bounds.maxUnpublishedBytes;
    this.#silence?.stop();
    this.#deadline = this.#startPublishDeadline();
    this.#options.log.info(this.#trace, 'A publisher ended its stream.');
  }

  /** Delays the refusal, and ignores the connection until then, to slow down guessing of keys. */
  #refuseLater(cause: LossCause): void {
    this.#isRefused = true;
    // Data that the publisher sends until then is ignored.
    this.#peer.receivedBytesBound = Number.POSITIVE_INFINITY;
    clearTimeout(this.#deadline);
    this.#deadline = setTimeout(() => this.#refuse(cause), this.#options.bounds.failedKeyDelayMs);
  }

  /** Tells the publisher why, then closes. */
  #refuse(cause: LossCause): void {
    this.#dialogue.tell(formatRefusal(cause));
    this.#closeBecause(cause);
  }

  #closeBecause(cause: LossCause): void {
    this.#log.warn({ ...this.#trace, reason: describeLossCause(cause) }, 'A publisher was disconnected.');
    this.#end(cause);
    runHarmlessly(() => this.#peer.close(), 'closing a publisher connection');
  }

  #onPeerEnd(end: PeerEnd): void {
    switch (end.kind) {
      case 'finished':
        this.#log.info(this.#trace, 'A publisher disconnected.');
        this.#end({ code: 'closed' });
        return;
      case 'broken':
        this.#log.info({ ...this.#trace, reason: end.code }, 'A publisher disconnected.');
        this.#end({ code: 'connection-broke', reason: end.code });
        return;
      case 'failed':
        this.#log.warn(
          { ...this.#trace, reason: end.sentence },
          this.#isGivenUp ? 'A connection that did not publish was closed.' : 'A connection was closed for a protocol error.',
        );
        this.#end({ code: 'protocol', fault: end.sentence });
        return;
      case 'fault':
        this.#options.log.error({ ...this.#trace, err: end.error }, 'A connection was closed because of an internal error.');
        this.#end({ code: 'internal' });
        return;
    }
  }

  /** What its lines in the log have in common. The address alone is that of every program on a computer. */
  get #trace() {
    return { remoteAddress: this.remoteAddress, streamId: this.#streamId };
  }

  get #log(): SeldomLog {
    const { log, strangersLog } = this.#options;
    return this.#hasPublished ? log : strangersLog;
  }

  #end(cause: LossCause): void {
    this.#isOver = true;
    clearTimeout(this.#handshakeDeadline);
    clearTimeout(this.#deadline);
    this.#silence?.stop();
    this.#endSink({ kind: 'lost', cause });
  }

  #endSink(end: PublisherEnd): void {
    const sink = this.#sink;
    this.#dropSink();
    runHarmlessly(() => sink?.end(end), 'ending a publisher');
  }

  #dropSink(): void {
    this.#sink = undefined;
    this.#door = undefined;
  }

  #startPublishDeadline(): NodeJS.Timeout {
    return this.#startDeadline(this.#options.bounds.publishTimeoutMs, 'No publish command arrived');
  }

  #startDeadline(timeoutMs: number, whatFailed: string): NodeJS.Timeout {
    return setTimeout(() => this.giveUp(`${whatFailed} within ${timeoutMs / 1000} s.`), timeoutMs);
  }

  #send(message: RtmpMessage): void {
    const isCommand = message.typeId === messageType.commandAmf0;
    this.#peer.send(isCommand ? chunkStream.command : chunkStream.control, message);
  }
}
