import type { ConnectionStage } from '../../shared/model/ingest-failure.ts';
import { ownSoftware } from '../lib/own-software.ts';
import { PublishError } from '../publishing/publish-error.ts';
import { type Command, formatCommand, parseStatusInfo } from './commands.ts';
import { chunkStream, type RtmpMessage } from './messages.ts';
import { explainRefusal } from './refusal-status.ts';

/** Inputs and callbacks of the client's side of the negotiation. */
export interface PublishNegotiationOptions {
  app: string;
  tcUrl: string;
  streamKey: string;
  /** The ingest has taken this key before. */
  wasAccepted: boolean;
  send(chunkStreamId: number, message: RtmpMessage): void;
  /** The server has completed a step, and the next one begins. */
  onStep(): void;
  /** `NetStream.Publish.Start` arrived: send media on this message stream. */
  onStart(streamId: number): void;
  /** The server refused or, after the start, ended the stream. */
  onRefusal(error: PublishError): void;
}

/** Transactions in order. `releaseStream` and `FCPublish` may go unanswered. */
const transaction = { connect: 1, releaseStream: 2, fcPublish: 3, createStream: 4, publish: 5, goodbye: 6 } as const;
const optional: readonly number[] = [transaction.releaseStream, transaction.fcPublish];

/** The client's side of `connect`, `createStream` and `publish` (RTMP 1.0 §7.3.1). */
export class PublishNegotiation {
  readonly #options: PublishNegotiationOptions;
  #streamId: number | undefined;
  #stage: ConnectionStage = 'handshake';

  constructor(options: PublishNegotiationOptions) {
    this.#options = options;
  }

  /** How far the negotiation has got. */
  get stage(): ConnectionStage {
    return this.#stage;
  }

  start(): void {
    this.#stage = 'app';
    const { app, tcUrl, onStep } = this.#options;
    onStep();
    this.#send(0, 'connect', transaction.connect, { app, type: 'nonprivate', flashVer: ownSoftware, tcUrl });
  }

  /** Handles a command from the server. */
  receive({ name, transactionId, values }: Command): void {
    // Servers that don't know the optional commands of Flash encoders may answer them with an error.
    if (name === '_error' && !optional.includes(transactionId)) this.#refuse(values[1] ?? values[0]);
    else if (name === 'onStatus') this.#receiveStatus(values[1] ?? values[0]);
    else if (name === '_result' && transactionId === transaction.connect) this.#createStream();
    else if (name === '_result' && transactionId === transaction.createStream) this.#publish(values[1]);
  }

  /** Tells the server that publishing has ended. */
  sayGoodbye(): void {
    if (this.#streamId === undefined) return;
    this.#send(0, 'FCUnpublish', transaction.goodbye, null, this.#options.streamKey);
    this.#send(0, 'deleteStream', transaction.goodbye + 1, null, this.#streamId);
  }

  #createStream(): void {
    this.#stage = 'publish';
    this.#options.onStep();
    this.#send(0, 'releaseStream', transaction.releaseStream, null, this.#options.streamKey);
    this.#send(0, 'FCPublish', transaction.fcPublish, null, this.#options.streamKey);
    this.#send(0, 'createStream', transaction.createStream, null);
  }

  #publish(streamId: Command['values'][number]): void {
    if (typeof streamId !== 'number' || !Number.isInteger(streamId) || streamId < 0 || streamId > 0xffffffff) {
      this.#options.onRefusal(
        new PublishError('lost', { code: 'protocol', fault: "The ingest's reply to createStream has no stream id." }),
      );
      return;
    }
    this.#streamId = streamId;
    this.#options.onStep();
    this.#send(streamId, 'publish', transaction.publish, null, this.#options.streamKey, 'live');
  }

  #receiveStatus(value: Command['values'][number]): void {
    const { level, code } = parseStatusInfo(value);
    if (code === 'NetStream.Publish.Start' && this.#streamId !== undefined) {
      this.#stage = 'sending';
      this.#options.onStart(this.#streamId);
    } else if (level === 'error') this.#refuse(value);
  }

  #refuse(value: Command['values'][number]): void {
    const { streamKey, wasAccepted, onRefusal } = this.#options;
    onRefusal(explainRefusal(parseStatusInfo(value), { hasStarted: this.#stage === 'sending', wasAccepted, streamKey }));
  }

  #send(streamId: number, name: string, transactionId: number, ...values: Command['values']): void {
    this.#options.send(chunkStream.command, formatCommand(streamId, name, transactionId, ...values));
  }
}
