import type { Socket } from 'node:net';
import type { Amf0Value } from '../../src/service/rtmp/amf0.ts';
import { ChunkReader } from '../../src/service/rtmp/chunk-reader.ts';
import { ChunkWriter } from '../../src/service/rtmp/chunk-writer.ts';
import { type Command, formatCommand, parseCommand, parseStatusInfo } from '../../src/service/rtmp/commands.ts';
import { createClientHandshake } from '../../src/service/rtmp/handshake.ts';
import { messageType, type RtmpMessage } from '../../src/service/rtmp/messages.ts';
import { videoHeader } from './flv-builder.ts';
import type { IngestStand } from './ingest-stand.ts';
import { soon } from './soon.ts';

/** A publisher that a test controls step by step, valid or not; it records all replies. */
export interface RawPublisher {
  socket: Socket;
  messages: RtmpMessage[];
  commands: Command[];
  send(message: RtmpMessage, chunkStreamId?: number): void;
  command(streamId: number, name: string, transactionId: number, ...values: Amf0Value[]): void;
  /** `connect`, `createStream` and `publish` in one go; resolves when the server has answered, or closed. */
  publish(streamKey: string, connectTo?: { app: string; tcUrl?: string }): Promise<void>;
  /** The `code: description` of every status received. */
  statuses(): string[];
  heard(code: string): Promise<void>;
  /** The other side has closed the socket. */
  closed: Promise<void>;
}

/** Performs the handshake on a connected socket. */
export async function openRawPublisher(socket: Socket): Promise<RawPublisher> {
  const handshake = createClientHandshake();
  const writer = new ChunkWriter();
  const messages: RtmpMessage[] = [];
  const commands: Command[] = [];
  const maxBytes = 2 ** 24;
  const bounds = { maxMessageBytes: maxBytes, maxChunkStreams: 100, maxPartialBytes: maxBytes };
  const reader = new ChunkReader(bounds, (message) => {
    messages.push(message);
    if (message.typeId === messageType.commandAmf0) commands.push(parseCommand(message, 16));
  });
  const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()));
  const isOpen = new Promise<void>((resolve) => {
    let isShaken = false;
    socket.on('data', (bytes: Buffer) => {
      if (isShaken) {
        reader.push(bytes);
        return;
      }
      const { reply, rest } = handshake.push(bytes);
      if (reply !== undefined) socket.write(reply);
      if (rest === undefined) return;
      isShaken = true;
      reader.push(rest);
      resolve();
    });
  });
  if (handshake.opening !== undefined) socket.write(handshake.opening);
  await Promise.race([isOpen, closed]);

  const statuses = () =>
    commands
      .filter(({ name }) => name === 'onStatus')
      .map(({ values }) => parseStatusInfo(values[1]))
      .map(({ code, description }) => `${code}: ${description}`);
  const heard = (code: string) =>
    soon(() => {
      if (!statuses().some((status) => status.startsWith(code))) throw new Error(`${code} was not received.`);
    });
  const send = (message: RtmpMessage, chunkStreamId = 8) => void socket.write(writer.format(chunkStreamId, message));
  const command = (streamId: number, name: string, transactionId: number, ...values: Amf0Value[]) =>
    send(formatCommand(streamId, name, transactionId, ...values), 3);
  return {
    socket,
    messages,
    commands,
    send,
    command,
    async publish(streamKey, connectTo = { app: 'live' }) {
      command(0, 'connect', 1, connectTo);
      command(0, 'createStream', 2, null);
      command(1, 'publish', 3, null, streamKey, 'live');
      await Promise.race([heard('NetStream.'), closed]);
    },
    statuses,
    heard,
    closed,
  };
}

/** A stream key that the stand's gate admits. */
export const someStreamKey = 'abcd-efgh-ijkl-mnop';

/** The bodies of an H.264 and of an AAC sequence header, as short as possible. */
export const avcHeader = videoHeader().body;
export const aacHeader = Buffer.from('af001190', 'hex');

/** A message on the first message stream that `createStream` returns. */
export function media(typeId: number, payload: Buffer, timestampMs = 0): RtmpMessage {
  return { typeId, streamId: 1, timestampMs, payload };
}

/** A publisher whose `publish` has been answered, accepted or not. */
export async function openPublishing(stand: IngestStand, streamKey = someStreamKey): Promise<RawPublisher> {
  const publisher = await openRawPublisher(await stand.connect());
  await publisher.publish(streamKey);
  return publisher;
}
