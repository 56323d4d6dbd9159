import { once } from 'node:events';
import { connect } from 'node:net';
import type { FlvTag } from '../../src/service/flv/flv-tag.ts';
import { formatAmf0 } from '../../src/service/rtmp/amf0.ts';
import { ChunkWriter } from '../../src/service/rtmp/chunk-writer.ts';
import {
  chunkStream,
  formatSetChunkSize,
  formatWindowAcknowledgementSize,
  messageType,
  type RtmpMessage,
} from '../../src/service/rtmp/messages.ts';
import { openRawPublisher } from '../../test/support/raw-publisher.ts';
import { answerParent } from './answer.ts';
import { RealTimeSource, type VideoSent } from './real-time-source.ts';

/** Publishes a file in real time to an RTMP ingest with these keys, or the same bytes to bare sockets. */
export interface LoadQuestion {
  file: string;
  port: number;
  to: { kind: 'rtmp'; app: string; streamKeys: readonly string[] } | { kind: 'bare-socket'; count: number };
}

/** How much has been sent since the start. */
export interface LoadReport {
  mediaBytes: number;
  /** The fraction of due media that has been sent; 1 unless the machine is too busy. */
  keptUp: number;
  /** The frames of the first publisher. */
  videoSent: readonly VideoSent[];
}

const host = '127.0.0.1';
const chunkBytes = 64 * 1024;

let source: RealTimeSource | undefined;

answerParent(async (question: LoadQuestion | 'report'): Promise<LoadReport | undefined> => {
  if (question === 'report') return source?.report();
  await start(question);
  return undefined;
});

async function start({ file, port, to }: LoadQuestion) {
  source = new RealTimeSource(file);
  const takers: ((tag: FlvTag) => unknown)[] = [];
  // One after another: an ingest admits only a few connections of one address that have not published yet.
  if (to.kind === 'rtmp') for (const streamKey of to.streamKeys) takers.push(await openPublisher(port, to.app, streamKey));
  else for (let index = 0; index < to.count; index += 1) takers.push(await openBareSocket(port));
  source.play(takers);
}

/** Publishes as OBS and ffmpeg do: large chunks, and an acknowledgement every 2.5 MB. */
async function openPublisher(port: number, app: string, streamKey: string) {
  const socket = await openSocket(port);
  // 'close' reports this below, with the reason.
  socket.on('error', () => {});
  const publisher = await openRawPublisher(socket);
  publisher.send(formatSetChunkSize(chunkBytes), chunkStream.control);
  publisher.send(formatWindowAcknowledgementSize(2_500_000), chunkStream.control);
  await publisher.publish(streamKey, { app, tcUrl: `rtmp://${host}:${port}/${app}` });
  const status = publisher.statuses().at(-1);
  if (!status?.startsWith('NetStream.Publish.Start')) throw new Error(`A publisher was refused: ${status}`);
  void publisher.closed.then(() => {
    throw new Error(`A publisher's connection ended: ${publisher.statuses().at(-1)}`);
  });
  return (tag: FlvTag) => publisher.send(formatMessage(tag), streamOf[tag.kind]);
}

/** Writes the exact bytes of an RTMP connection, one write per message. */
async function openBareSocket(port: number) {
  const socket = await openSocket(port);
  const writer = new ChunkWriter();
  socket.write(writer.format(chunkStream.control, formatSetChunkSize(chunkBytes)));
  return (tag: FlvTag) => {
    socket.write(writer.format(streamOf[tag.kind], formatMessage(tag)));
  };
}

async function openSocket(port: number) {
  const socket = connect({ host, port, noDelay: true });
  await once(socket, 'connect');
  return socket;
}

const streamOf = { audio: chunkStream.audio, video: chunkStream.video, script: chunkStream.data };
const typeOf = { audio: messageType.audio, video: messageType.video, script: messageType.dataAmf0 };

const setDataFrame = formatAmf0('@setDataFrame');

function formatMessage({ kind, timestampMs, body }: FlvTag): RtmpMessage {
  const payload = kind === 'script' ? Buffer.concat([setDataFrame, body]) : body;
  return { typeId: typeOf[kind], streamId: 1, timestampMs, payload };
}
