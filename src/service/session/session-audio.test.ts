import { expect, onTestFinished, test } from 'vitest';
import { LiveStage, oneSegment } from '../../../test/support/live-stage.ts';
import type { AudioMeter } from '../../shared/model/audio-meter.ts';
import { onFault } from '../lib/faults.ts';
import type { MediaUnit } from '../media/media-unit.ts';

/** A stage whose meters record what they get; the n-th has a momentary loudness of −n. */
function openStage({ push }: { push?: () => void } = {}) {
  const meters: { units: MediaUnit[]; forgets: number; closes: number; end: () => void }[] = [];
  const stage = new LiveStage({
    startAudioMeter() {
      const { promise: ended, resolve: end } = Promise.withResolvers<void>();
      const meter: (typeof meters)[number] = { units: [], forgets: 0, closes: 0, end };
      meters.push(meter);
      const momentaryLufs = -meters.length;
      return {
        push(unit) {
          meter.units.push(unit);
          push?.();
        },
        read: (): AudioMeter => ({ kind: 'measured', momentaryLufs, truePeaksDbtp: [] }),
        heardMs: 0,
        judge: () => [{ code: 'silent', severity: 'warn' }],
        forgetLoudness() {
          meter.forgets += 1;
        },
        close() {
          meter.closes += 1;
          return ended;
        },
      };
    },
  });
  return { stage, meters };
}

test('each publisher has a meter that gets its whole audio; the one on air is read, and none once it is gone', () => {
  const { stage, meters } = openStage();
  const { stream } = stage;
  expect(stream.audioMeter).toBeUndefined();
  stage.play(stream.admit(stage.createPublisher()), oneSegment);
  const audio = oneSegment.filter(({ kind, body }) => kind === 'audio' && body[1] === 1);
  expect(meters[0]?.units.filter(({ type }) => type === 'audio')).toHaveLength(audio.length);
  expect(stream.audioMeter).toMatchObject({ momentaryLufs: -1 });
  expect(stream.facts().sound).toEqual([{ code: 'silent', severity: 'warn' }]);
  stream.forgetLoudness();
  expect(meters.map(({ forgets }) => forgets)).toEqual([1]);
  const second = stream.admit(stage.createPublisher());
  expect(meters.map(({ closes }) => closes)).toEqual([1, 0]);
  expect(stream.audioMeter).toMatchObject({ momentaryLufs: -2 });
  second.end({ kind: 'lost', cause: { code: 'connection-broke', reason: 'reset' } });
  expect(meters.map(({ closes }) => closes)).toEqual([1, 1]);
  expect(stream.audioMeter).toBeUndefined();
  expect(stream.facts().sound).toEqual([]);
});

test('closing a stream waits until all meters have ended', async () => {
  const { stage, meters } = openStage();
  const { stream } = stage;
  stage.play(stream.admit(stage.createPublisher()), oneSegment);
  stream.admit(stage.createPublisher());
  stream.end({ reason: 'service-closed' });
  let isClosed = false;
  const closed = stream.close().then(() => {
    isClosed = true;
  });
  meters[1]?.end();
  await new Promise(setImmediate);
  expect(isClosed).toBe(false);
  meters[0]?.end();
  await closed;
});

test('a meter that throws is fed no longer, and the broadcast continues', () => {
  const faults: string[] = [];
  onTestFinished(onFault(({ during }) => void faults.push(during)));
  const { stage, meters } = openStage({
    push() {
      throw new Error('a bug');
    },
  });
  stage.play(stage.stream.admit(stage.createPublisher()), oneSegment);
  expect(faults).toEqual(['reading a live broadcast (audio-meter)']);
  expect(meters[0]?.units).toHaveLength(1);
  expect(stage.stream.air.kind).toBe('on-air');
});
