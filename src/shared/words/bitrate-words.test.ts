import { expect, test } from 'vitest';
import type { BitrateEvent } from '../model/bitrate-event.ts';
import { describeBitrateEvent } from './bitrate-words.ts';

test('every decision about the bitrate has its sentence', () => {
  const warn = { severity: 'warn' } as const;
  const dropped = { code: 'frames-dropped', ...warn, frames: 21 } as const;
  const events: BitrateEvent[] = [
    { code: 'lowered', ...warn, fromBps: 3_000_000, toBps: 1_460_000, queueMs: 211.4 },
    { code: 'raised', severity: 'good', fromBps: 1_460_000, toBps: 1_750_000 },
    { code: 'at-floor', ...warn, bitrateBps: 370_000, queueMs: 640 },
    { code: 'kept', ...warn, bitrateBps: 3_000_000 },
    { ...dropped, frames: 1, toKeyframe: false, withDisposable: true },
    { ...dropped, toKeyframe: true, withDisposable: true },
    { ...dropped, toKeyframe: true, withDisposable: false },
  ];
  expect(events.map(describeBitrateEvent)).toEqual([
    'Lowering the video bitrate from 3\u202f000 to 1\u202f460\u00a0kbit/s: 211\u00a0ms of media was waiting to be sent.',
    'Raising the video bitrate from 1\u202f460 to 1\u202f750\u00a0kbit/s: the connection to the ingest has room again.',
    '640\u00a0ms of media is waiting, and the video bitrate is already as low as it gets: 370\u00a0kbit/s.',
    "The encoder's bitrate couldn't be changed. It continues at 3\u202f000\u00a0kbit/s.",
    '1 frame dropped that no other frame depends on: the connection to the ingest was too slow.',
    '21 frames dropped up to a keyframe: the connection to the ingest was too slow.',
    "21 frames dropped up to a keyframe, since this encoder's frames all depend on each other: the connection to the ingest was too slow.",
  ]);
});
