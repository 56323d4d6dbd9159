import { audioFormats, videoFormats } from '../media/carried-formats.ts';
import type { Amf0Value } from '../rtmp/amf0.ts';
import { type Command, formatCommand, formatStatus, type StatusInfo } from '../rtmp/commands.ts';
import {
  formatSetChunkSize,
  formatSetPeerBandwidth,
  formatUserControl,
  formatWindowAcknowledgementSize,
  type RtmpMessage,
  userControlEvent,
} from '../rtmp/messages.ts';
import { RtmpProtocolError } from '../rtmp/protocol-error.ts';
import { windowBytes } from '../rtmp/rtmp-peer.ts';
import { formatRefusal } from './refusal.ts';

/** Our replies are short: each fits into one chunk. */
const chunkBytes = 4096;
/** The only application name. Encoders may append a slash or parameters. */
const appPattern = /^\/?live\/*(\?.*)?$/s;

export interface PublishDialogueHandlers {
  send(message: RtmpMessage): void;
  /** The publisher wants to publish; answer with `accept` or `refuse`. */
  onPublish(streamKey: string): void;
  /** The publisher has ended its stream. */
  onUnpublish(): void;
  /** The publisher asked for something unsupported, and the error was sent; close the connection. */
  onRefused(cause: { code: 'wrong-app' | 'asked-to-play' }): void;
}

/** The server side of the commands that start and end publishing (RTMP 1.0 §7.2, and those of Flash encoders). */
export class PublishDialogue {
  readonly #handlers: PublishDialogueHandlers;
  #isConnected = false;
  #software: string | undefined;
  #lastStreamId = 0;
  /** The message stream of the last `publish`. */
  #streamId = 0;

  constructor(handlers: PublishDialogueHandlers) {
    this.#handlers = handlers;
  }

  /** The publisher's software, in its own words (`flashVer` of `connect`, RTMP 1.0 §7.2.1.1). */
  get software(): string | undefined {
    return this.#software;
  }

  /** @throws {RtmpProtocolError} when a command is out of order or lacks a value. */
  receive(command: Command, streamId: number): void {
    if (command.name === 'connect') {
      this.#connect(command);
      return;
    }
    if (!this.#isConnected) throw new RtmpProtocolError('A command arrived before connect.');
    switch (command.name) {
      case 'releaseStream':
      case '_checkbw':
        this.#answer(command, null, undefined);
        return;
      case 'FCPublish':
        this.#answer(command, null, undefined);
        this.#send(0, 'onFCPublish', 0, null, publishing('NetStream.Publish.Start'));
        return;
      case 'createStream':
        this.#lastStreamId += 1;
        this.#answer(command, null, this.#lastStreamId);
        return;
      case 'publish':
        this.#publish(command, streamId);
        return;
      case 'FCUnpublish':
        this.#answer(command, null, undefined);
        this.#send(0, 'onFCUnpublish', 0, null, publishing('NetStream.Unpublish.Success'));
        this.#handlers.onUnpublish();
        return;
      case 'closeStream':
        this.#close(streamId);
        return;
      case 'deleteStream':
        this.#close(command.values[1]);
        return;
      case 'play':
      case 'play2':
        this.#refusePlay(streamId);
        return;
      case '_result':
      case '_error':
      case 'onStatus':
        return;
      default:
        this.#answerUnknown(command);
        return;
    }
  }

  /** Lets the publisher send its stream: `NetStream.Publish.Start`. */
  accept(): void {
    this.#handlers.send(formatUserControl(userControlEvent.streamBegin, this.#streamId));
    this.tell(publishing('NetStream.Publish.Start'));
  }

  /** Confirms that the stream has ended, as the publisher asked. */
  confirmEnd(): void {
    this.tell(publishing('NetStream.Unpublish.Success'));
  }

  /** Sends `onStatus` on the message stream of the last `publish`. */
  tell(info: StatusInfo): void {
    this.#handlers.send(formatStatus(this.#streamId, info));
  }

  #connect(command: Command): void {
    if (this.#isConnected) throw new RtmpProtocolError('A second connect command arrived.');
    const software = propertyOf(command.values[0], 'flashVer');
    this.#software = typeof software === 'string' ? software : undefined;
    const app = propertyOf(command.values[0], 'app');
    if (typeof app !== 'string' || !appPattern.test(app)) {
      const cause = { code: 'wrong-app' } as const;
      this.#send(0, '_error', command.transactionId, null, { ...formatRefusal(cause) });
      this.#handlers.onRefused(cause);
      return;
    }
    this.#isConnected = true;
    this.#handlers.send(formatWindowAcknowledgementSize(windowBytes));
    this.#handlers.send(formatSetPeerBandwidth(windowBytes));
    this.#handlers.send(formatSetChunkSize(chunkBytes));
    // Encoders expect a server version like this. Encoding 0 is AMF0.
    const properties = { fmsVer: 'FMS/3,0,1,123', capabilities: 31, ...describeEnhancements(command.values[0]) };
    const success = { level: 'status', code: 'NetConnection.Connect.Success', description: 'Connected.', objectEncoding: 0 };
    this.#answer(command, properties, success);
  }

  #publish({ values }: Command, streamId: number): void {
    const name = values[1];
    // Flash's way to stop (`NetStream.publish(false)`), and how Wirecast ends a stream.
    if (name === false) {
      this.#handlers.onUnpublish();
      return;
    }
    if (typeof name !== 'string') throw new RtmpProtocolError('A publish command has no stream key.');
    this.#streamId = streamId;
    this.#handlers.onPublish(name.split('?', 1)[0] ?? '');
  }

  /** Any stream id means the published stream, unless this publisher created it for another: encoders name it in many ways. */
  #close(streamId: Amf0Value): void {
    if (this.#isCreated(streamId) && this.#isCreated(this.#streamId) && streamId !== this.#streamId) return;
    this.#handlers.onUnpublish();
  }

  #isCreated(streamId: Amf0Value): boolean {
    return typeof streamId === 'number' && streamId > 0 && streamId <= this.#lastStreamId;
  }

  #refusePlay(streamId: number): void {
    const cause = { code: 'asked-to-play' } as const;
    this.#handlers.send(formatStatus(streamId, formatRefusal(cause)));
    this.#handlers.onRefused(cause);
  }

  #answerUnknown({ transactionId }: Command): void {
    if (transactionId === 0) return;
    const info = { level: 'error', code: 'NetConnection.Call.Failed', description: 'There is no such command.' };
    this.#send(0, '_error', transactionId, null, info);
  }

  #answer({ transactionId }: Command, ...values: Amf0Value[]): void {
    if (transactionId !== 0) this.#send(0, '_result', transactionId, ...values);
  }

  #send(streamId: number, name: string, transactionId: number, ...values: Amf0Value[]): void {
    this.#handlers.send(formatCommand(streamId, name, transactionId, ...values));
  }
}

/**
 * The Enhanced RTMP v2 capabilities ("Enhancing NetConnection connect Command") for a publisher that supports them: our codecs, and
 * none of the `capsEx` features.
 */
function describeEnhancements(connect: Amf0Value): Record<string, Amf0Value> {
  const speaksIt = ['fourCcList', 'videoFourCcInfoMap', 'audioFourCcInfoMap'].some(
    (name) => propertyOf(connect, name) !== undefined,
  );
  if (!speaksIt) return {};
  return { videoFourCcInfoMap: describeCodecs(videoFormats), audioFourCcInfoMap: describeCodecs(audioFormats), capsEx: 0 };
}

/** Maps each FourCC to its `FourCcInfoMask`. */
function describeCodecs(formats: readonly { readonly fourCc: string }[]): Record<string, number> {
  const canDecodeAndForward = 0x01 | 0x04;
  return Object.fromEntries(formats.map(({ fourCc }) => [fourCc, canDecodeAndForward]));
}

function publishing(code: 'NetStream.Publish.Start' | 'NetStream.Unpublish.Success') {
  const description = code === 'NetStream.Publish.Start' ? 'The stream may be sent.' : 'The stream has ended.';
  return { level: 'status' as const, code, description };
}

function propertyOf(value: Amf0Value, name: string): Amf0Value {
  if (value instanceof Map) return value.get(name);
  if (value === null || typeof value !== 'object' || Array.isArray(value) || value instanceof Date) return undefined;
  return value[name];
}
