import { expect, onTestFinished, test, vi } from 'vitest';
import { startFaultProxy } from '../../../test/support/fault-proxy.ts';
import { audioFrame, audioHeader, videoFrame, videoHeader } from '../../../test/support/flv-builder.ts';
import { startIngestStand } from '../../../test/support/ingest-stand.ts';
import { someStreamKey } from '../../../test/support/raw-publisher.ts';
import { soon } from '../../../test/support/soon.ts';
import { UnitReader } from '../flv/unit-reader.ts';
import { startMediaPublisher } from '../rtmp/unit-publisher.ts';
import { Upload } from './upload.ts';

/** An upload whose connection takes no more than the system does once it is open, in time that only the test lets pass. */
async function startBlocked() {
  vi.useFakeTimers({ toFake: ['performance', 'setInterval', 'clearInterval'] });
  onTestFinished(() => void vi.useRealTimers());
  const stand = await startIngestStand();
  const proxy = await startFaultProxy(stand.server.port);
  const states: string[] = [];
  const upload = new Upload({
    connect: async (signal) => {
      const url = `rtmp://127.0.0.1:${proxy.port}/live`;
      const publisher = await startMediaPublisher({ url, streamKey: someStreamKey, signal });
      proxy.stall();
      return publisher;
    },
    clock: { monotonicMs: () => performance.now() },
    network: { onReturn: () => () => {} },
    onState: ({ kind }) => states.push(kind),
    onRefused: () => states.push('refused'),
  });
  const reader = new UnitReader();
  return {
    upload,
    resume: () => proxy.resume(),
    isSending: () => soon(() => expect(states).toEqual(['sending'])),
    send(...tags: Parameters<UnitReader['readUnit']>[0][]) {
      for (const tag of tags) {
        const unit = reader.readUnit(tag);
        if (unit) upload.send(unit);
      }
    },
    /** The times of the frames and of the sound that have arrived. */
    arrived: () => {
      const units = stand.publishers[0]?.units ?? [];
      const timesOf = (track: string) => units.filter(({ type }) => type === track).map(({ dts }) => dts);
      return { video: timesOf('video'), audio: timesOf('audio') };
    },
    async [Symbol.asyncDispose]() {
      await upload.close();
      await proxy[Symbol.asyncDispose]();
      await stand[Symbol.asyncDispose]();
    },
  };
}

test('nothing is dropped for the GOP that a connection begins with, until it has waited for 700 ms', async () => {
  await using blocked = await startBlocked();
  const { upload, send } = blocked;
  send(videoHeader(), audioHeader());
  // 14 MB in 4 s: more than a system takes at once.
  const gop = Array.from({ length: 40 }, (_, index) => index * 100);
  for (const atMs of gop) send(videoFrame(atMs, { keyframe: atMs === 0, sizeBytes: 350_000 }), audioFrame(atMs));
  await blocked.isSending();
  vi.advanceTimersByTime(40);
  send(videoFrame(4_000), audioFrame(4_000));
  expect(upload.measureWay()).toMatchObject({ queueMs: 40, waitMs: 40 });
  vi.advanceTimersByTime(660);
  send(videoFrame(4_660), audioFrame(4_660));
  expect([upload.measureWay()?.waitMs, upload.droppedFrames]).toEqual([700, 1]);
  blocked.resume();
  await soon(() => expect(blocked.arrived()).toEqual({ video: [...gop, 4_000], audio: [...gop, 4_000, 4_660] }));
});
