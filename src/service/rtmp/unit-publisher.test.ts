import { expect, test } from 'vitest';
import { audioFrame, audioHeader, videoFrame, videoHeader } from '../../../test/support/flv-builder.ts';
import { startIngestStand } from '../../../test/support/ingest-stand.ts';
import { UnitReader } from '../flv/unit-reader.ts';
import type { TagRole } from './rtmp-publisher.ts';
import { publishUnits, startMediaPublisher } from './unit-publisher.ts';

test('units and metadata arrive as they were sent, at their times in whole milliseconds', async () => {
  await using stand = await startIngestStand();
  const publisher = await startMediaPublisher({
    url: `rtmp://127.0.0.1:${stand.server.port}/live`,
    streamKey: 'abcd-efgh-ijkl-mnop',
    signal: new AbortController().signal,
  });
  const reader = new UnitReader();
  const tags = [
    ...[videoHeader(), audioHeader(), videoFrame(0, { keyframe: true, compositionTimeMs: 80 })],
    ...[audioFrame(10), videoFrame(40, { compositionTimeMs: -40 })],
  ];
  const units = tags.flatMap((tag) => reader.readUnit(tag) ?? []);
  publisher.announce(
    new Map<string, string | number>([
      ['encoder', 'Test'],
      ['framerate', 25],
    ]),
    0,
  );
  for (const unit of units) publisher.send(unit);
  const [, , keyframe] = units;
  // 90 kHz, as in MPEG-TS: 100.4 ms.
  if (keyframe?.type === 'video') publisher.send({ ...keyframe, timescale: 90_000, dts: 9_036, pts: 9_036 });
  await publisher.close();
  await stand.allGone();
  expect(await publisher.closed).toEqual({ kind: 'closed-by-us' });
  const [received] = stand.publishers;
  expect(received?.units).toEqual([...units, { ...keyframe, dts: 100, pts: 100 }]);
  expect(received?.metadata).toMatchObject([{ statedSoftware: 'Test', fps: 25 }]);
  expect([publisher.droppedFrames, publisher.measureWay().queueMs]).toEqual([0, 0]);
});

test('the connection knows what it may drop', () => {
  const roles: TagRole[] = [];
  const ended = Promise.withResolvers<never>();
  const publisher = publishUnits({
    inFlightBytes: 0,
    droppedFrames: 0,
    queuedMs: 0,
    closed: ended.promise,
    measureWay: () => ({ queueMs: 0, waitMs: 0, carried: undefined }),
    send: (_tag, role) => void roles.push(role),
    close: async () => true,
    [Symbol.asyncDispose]: async () => {},
  });
  const reader = new UnitReader();
  publisher.announce(new Map(), 0);
  for (const tag of [videoHeader(), audioHeader(), videoFrame(0, { keyframe: true }), videoFrame(40), audioFrame(50)]) {
    const unit = reader.readUnit(tag);
    if (unit) publisher.send(unit);
  }
  expect(roles).toEqual(['config', 'config', 'config', 'keyframe', 'frame', 'audio']);
});
