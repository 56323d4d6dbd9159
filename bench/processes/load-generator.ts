import { once } from 'node:events';
import { connect } from 'node:net';
import type { FlvTag } from '../../src/service/flv/flv-tag.ts';
import { ChunkWriter } from '../../src/service/rtmp/chunk-writer.ts';
import { chunkStream, messageType } from '../../src/service/rtmp/messages.ts';
import { startRtmpPublisher } from '../../src/service/rtmp/rtmp-client.ts';
import { describeFailure } from '../../src/shared/words/failure-words.ts';
import { sendTag } from '../../test/support/tag-role.ts';
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
  /** Fraction sent of the media that should have been sent by now; 1 unless the machine is too busy. */
  keptUp: number;
  /** The frames of the first publisher. */
  videoSent: readonly VideoSent[];
}

const host = '127.0.0.1';

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

async function openPublisher(port: number, app: string, streamKey: string) {
  const publisher = await startRtmpPublisher({
    url: `rtmp://${host}:${port}/${app}`,
    streamKey,
    signal: new AbortController().signal,
  });
  void publisher.closed.then((end) => {
    if (end.kind !== 'closed-by-us') throw new Error(`A publisher ended: ${describeFailure(end.failure)}`);
  });
  return (tag: FlvTag) => sendTag(publisher, tag);
}

/** Writes the exact bytes of an RTMP connection, one write per message. */
async function openBareSocket(port: number) {
  const socket = connect({ host, port, noDelay: true });
  await once(socket, 'connect');
  const writer = new ChunkWriter();
  const chunkSize = Buffer.alloc(4);
  chunkSize.writeUInt32BE(64 * 1024);
  const control = { typeId: messageType.setChunkSize, streamId: 0, timestampMs: 0, payload: chunkSize };
  socket.write(writer.format(chunkStream.control, control));
  const streams = { audio: chunkStream.audio, video: chunkStream.video, script: chunkStream.data };
  const types = { audio: messageType.audio, video: messageType.video, script: messageType.dataAmf0 };
  return ({ kind, timestampMs, body }: FlvTag) => {
    socket.write(writer.format(streams[kind], { typeId: types[kind], streamId: 1, timestampMs, payload: body }));
  };
}
