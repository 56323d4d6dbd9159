import { expect, test, vi } from 'vitest';
import { audioFrame, audioHeader, videoFrame, videoHeader } from '../../../test/support/flv-builder.ts';
import type { RunningAudioMeter } from '../audio-meter/publisher-meter.ts';
import { UnitReader } from '../flv/unit-reader.ts';
import { onFault } from '../lib/faults.ts';
import { SentSound } from './sent-sound.ts';

/** A broadcast that goes elsewhere or not, as the test says, and the meters that were started for it. */
function setUp({ push = () => {} }: { push?: () => void } = {}) {
  const meters: { heard: number[]; end: () => void; isClosed: boolean }[] = [];
  const to = { isElsewhere: true };
  const sound = new SentSound({
    isElsewhere: () => to.isElsewhere,
    startMeter(): RunningAudioMeter {
      const { promise: ended, resolve: end } = Promise.withResolvers<void>();
      const meter: (typeof meters)[number] = { heard: [], end, isClosed: false };
      meters.push(meter);
      return {
        push(unit) {
          if (unit.type !== 'config') meter.heard.push(unit.dts);
          push();
        },
        read: () => ({ kind: 'measured', momentaryLufs: -meters.length, truePeaksDbtp: [] }),
        heardMs: 0,
        judge: () => [],
        forgetLoudness() {},
        close() {
          meter.isClosed = true;
          return ended;
        },
      };
    },
  });
  const reader = new UnitReader();
  const send = (...tags: ReturnType<typeof videoFrame>[]) => {
    for (const tag of tags) {
      const unit = reader.readUnit(tag);
      if (unit) sound.push(unit);
    }
  };
  send(videoHeader(), audioHeader());
  return { sound, meters, to, send };
}

test('audio that goes to another computer is metered, and none that our own ingest meters', async () => {
  const { sound, meters, to, send } = setUp();
  to.isElsewhere = false;
  send(videoFrame(0, { keyframe: true }), audioFrame(0));
  expect([sound.meter, meters.length]).toEqual([undefined, 0]);
  to.isElsewhere = true;
  send(audioFrame(20), videoFrame(40), audioFrame(40));
  expect(meters.map(({ heard }) => heard)).toEqual([[20, 40]]);
  expect(sound.meter?.read()).toMatchObject({ momentaryLufs: -1 });
  // The region has changed to this computer, and back.
  to.isElsewhere = false;
  send(audioFrame(60));
  expect([sound.meter, meters[0]?.isClosed]).toEqual([undefined, true]);
  to.isElsewhere = true;
  send(audioFrame(80));
  expect(meters.map(({ heard }) => heard)).toEqual([[20, 40], [80]]);

  const closed = vi.fn();
  const closing = sound.close().then(closed);
  send(audioFrame(100));
  meters[1]?.end();
  await Promise.resolve();
  expect(closed).not.toHaveBeenCalled();
  meters[0]?.end();
  await closing;
  expect(meters.map(({ heard, isClosed }) => [heard.length, isClosed])).toEqual([
    [2, true],
    [1, true],
  ]);
});

test('a meter that throws is reported, and the broadcast continues', () => {
  const faults: unknown[] = [];
  using _ = { [Symbol.dispose]: onFault(({ error }) => faults.push(error)) };
  const error = new Error('a bug');
  const { send } = setUp({
    push() {
      throw error;
    },
  });
  expect(() => send(audioFrame(20))).not.toThrow();
  expect(faults).toEqual([error]);
});
