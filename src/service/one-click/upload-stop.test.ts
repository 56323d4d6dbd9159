import type { LookupFunction, Socket } from 'node:net';
import { expect, test } from 'vitest';
import { startDeadAddress } from '../../../test/support/dead-address.ts';
import { startFaultProxy } from '../../../test/support/fault-proxy.ts';
import { audioHeader, videoFrame, videoHeader } from '../../../test/support/flv-builder.ts';
import { startOddServer } from '../../../test/support/odd-server.ts';
import { findQuietPort } from '../../../test/support/quiet-port.ts';
import { soon } from '../../../test/support/soon.ts';
import { type ServerStep, startStagedServer } from '../../../test/support/staged-server.ts';
import { testAuthority } from '../../../test/support/tls-fixtures.ts';
import { UnitReader } from '../flv/unit-reader.ts';
import type { RtmpPublisherOptions } from '../rtmp/rtmp-client.ts';
import { startMediaPublisher } from '../rtmp/unit-publisher.ts';
import { Upload } from './upload.ts';

/** The time that Stop may take. */
const maxStopMs = 5_000;

/** An upload to this URL, with the time limits of the app unless told otherwise, that has one keyframe to send. */
function startUpload(url: string, given: { lookup?: LookupFunction; closeGraceMs?: number } = {}) {
  const states: string[] = [];
  const options: Omit<RtmpPublisherOptions, 'signal'> = {
    url,
    streamKey: 'abcd-efgh-ijkl-mnop',
    authorities: [testAuthority],
    ...given,
  };
  const upload = new Upload({
    connect: (signal) => startMediaPublisher({ ...options, signal }),
    clock: { monotonicMs: () => performance.now() },
    network: { onReturn: () => () => {} },
    onState: ({ kind }) => states.push(kind),
    onRefused: () => states.push('refused'),
  });
  const reader = new UnitReader();
  let atMs = 0;
  /** Sends one large keyframe. */
  const sendFrame = () => {
    for (const tag of [videoHeader(), audioHeader(), videoFrame(atMs, { keyframe: true, sizeBytes: 500_000 })]) {
      const unit = reader.readUnit(tag);
      if (unit) upload.send(unit);
    }
    atMs += 40;
  };
  sendFrame();
  return { upload, states, sendFrame };
}

/** How long Stop takes. */
async function measureStop(upload: Upload): Promise<number> {
  const since = performance.now();
  await upload.close();
  return performance.now() - since;
}

/** A server that hangs after a step: it reads nothing more, and doesn't close when we do. */
async function startHangingServer(until: ServerStep) {
  const reached = Promise.withResolvers<Socket>();
  const server = await startStagedServer({
    until,
    allowHalfOpen: true,
    atLast: (socket) => {
      socket.pause();
      reached.resolve(socket);
    },
  });
  return { server, reached: reached.promise };
}

const steps: ServerStep[] = ['accepted', 'shaken', 'connect', 'connected', 'publish', 'started'];

test.concurrent.each(steps)('Stop takes less than 5 s if the ingest hangs after “%s”', async (step) => {
  const { server, reached } = await startHangingServer(step);
  await using _ = server;
  const { upload, states } = startUpload(`rtmp://127.0.0.1:${server.port}/live`);
  await reached;
  await soon(() => expect(states).toEqual(step === 'started' ? ['sending'] : []));
  expect(await measureStop(upload)).toBeLessThan(maxStopMs);
});

test.concurrent.each(steps)('Stop takes less than 5 s if the ingest hangs after “%s” behind TLS', async (step) => {
  const { server, reached } = await startHangingServer(step);
  await using _ = server;
  await using front = await startFaultProxy(server.port, { certificate: 'ingest' });
  const { upload, states } = startUpload(`rtmps://localhost:${front.port}/live`);
  await reached;
  await soon(() => expect(states).toEqual(step === 'started' ? ['sending'] : []));
  expect(await measureStop(upload)).toBeLessThan(maxStopMs);
});

test.concurrent('Stop takes less than 5 s if the ingest gets the goodbye and never answers it', async () => {
  const { server, reached } = await startHangingServer('goodbye');
  await using _ = server;
  const { upload, states } = startUpload(`rtmp://127.0.0.1:${server.port}/live`);
  await soon(() => expect(states).toEqual(['sending']));
  const stopMs = measureStop(upload);
  await reached;
  expect(await stopMs).toBeLessThan(maxStopMs);
});

test.concurrent('Stop tells whether the ingest heard the goodbye', async () => {
  await using server = await startStagedServer({ until: 'goodbye', atLast: (socket) => socket.end() });
  await using proxy = await startFaultProxy(server.port);
  const url = `rtmp://127.0.0.1:${proxy.port}/live`;
  const heard = startUpload(url, { closeGraceMs: 60_000 });
  await soon(() => expect(heard.states).toEqual(['sending']));
  expect(await heard.upload.close()).toBe(true);
  const unheard = startUpload(url);
  await soon(() => expect(unheard.states).toEqual(['sending']));
  proxy.stall();
  expect(await unheard.upload.close()).toBe(false);
});

test.concurrent('Stop takes less than 5 s if a half-open connection takes no more data', async () => {
  const { server, reached } = await startHangingServer('started');
  await using _ = server;
  const { upload, sendFrame } = startUpload(`rtmp://127.0.0.1:${server.port}/live`);
  await reached;
  await soon(() => {
    sendFrame();
    expect(upload.measureWay()?.queueMs).toBeGreaterThan(0);
  });
  expect(await measureStop(upload)).toBeLessThan(maxStopMs);
});

test.concurrent('Stop takes less than 5 s if the TLS handshake hangs', async () => {
  const accepted = Promise.withResolvers<void>();
  const hang = (socket: Socket) => {
    socket.pause();
    accepted.resolve();
  };
  await using server = await startOddServer(hang, { allowHalfOpen: true });
  const { upload } = startUpload(`rtmps://127.0.0.1:${server.port}/live`);
  await accepted.promise;
  expect(await measureStop(upload)).toBeLessThan(maxStopMs);
});

test.concurrent('Stop takes less than 5 s if no address answers', async () => {
  const port = await findQuietPort();
  await using _dead = await startDeadAddress('127.0.0.2', port);
  const { upload, states } = startUpload(`rtmp://127.0.0.2:${port}/live`);
  expect(await measureStop(upload)).toBeLessThan(maxStopMs);
  expect(states).toEqual([]);
});

test.concurrent('Stop takes less than 5 s if no name server answers', async () => {
  const asked = Promise.withResolvers<void>();
  const { upload } = startUpload('rtmp://live.example.com/live', { lookup: () => asked.resolve() });
  await asked.promise;
  expect(await measureStop(upload)).toBeLessThan(maxStopMs);
});

test.concurrent('Stop takes less than 5 s in the pause before an attempt', async () => {
  const port = await findQuietPort();
  const { upload, states } = startUpload(`rtmp://127.0.0.1:${port}/live`);
  await soon(() => expect(states).toEqual(['retrying', 'retrying']));
  expect(await measureStop(upload)).toBeLessThan(maxStopMs);
});
