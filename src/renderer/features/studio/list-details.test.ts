import { expect, test } from 'vitest';
import type { Meters } from '../../../shared/model/live.ts';
import type { StreamLive } from '../../../shared/model/views.ts';
import { listDetails } from './list-details.ts';

test('a broadcast that moves here has no exact numbers of an earlier one', () => {
  const since = 1_700_000_000_000;
  const valueAt = (measuredAt: number) => {
    const live = {
      stream: { lastSeen: since, air: { kind: 'reconnecting', since, sessionId: 'a', lostAt: since + 9_000 } },
      meters: { measuredAt, width: 1920, height: 1080 },
    } as StreamLive;
    return listDetails(live, since + 12_000).find(({ name }) => name === 'Picture')?.value;
  };
  expect([since - 1, since].map(valueAt)).toEqual([undefined, '1920 × 1080']);
});

test('a broadcast that is about to begin has no exact numbers of the one before', () => {
  const since = 1_700_000_000_000;
  const session = { sourceSegments: 95, sourceSegmentsDuration: 171, transcodedSegments: 285 };
  const live = (air: StreamLive['stream']['air']) =>
    ({
      stream: { lastSeen: since, air, profiles: [{}] },
      session,
      meters: { measuredAt: since, firstSegmentSeconds: 2.4 },
    }) as StreamLive;
  const valuesOf = (air: StreamLive['stream']['air']) => {
    const names = ['Last seen', 'Time to first picture', 'Source segments', 'Rendition segments'];
    return listDetails(live(air), since + 1_000).flatMap(({ name, value }) => (names.includes(name) ? [value] : []));
  };
  expect(valuesOf({ kind: 'connecting', since })).toEqual(Array(4).fill(undefined));
  expect(valuesOf({ kind: 'on-air', since, sessionId: 'a' })).toEqual([
    '1.0\u00a0s ago',
    '2.4\u00a0s',
    '95, 2\u00a0min 51\u00a0s in total',
    '285 of 95',
  ]);
});

test('everything measured of a broadcast is listed; what is unknown has no value, and without renditions none are counted', () => {
  const since = 1_700_000_000_000;
  const listOf = (meters: Partial<Meters> | undefined, session?: StreamLive['session']) => {
    const stream = { lastSeen: 0, air: { kind: 'on-air', since, sessionId: 'a' } };
    const live = { stream, session, ...(meters && { meters: { measuredAt: since, ...meters } }) } as StreamLive;
    return Object.fromEntries(listDetails(live, since).map(({ name, value }) => [name, value]));
  };
  const measured = { width: 1280, height: 720, fps: 29.97, keyframeIntervalSeconds: 2, firstSegmentSeconds: 2.44 };
  const audio = { audioCodec: 'mp4a.40.2', audioSampleRateHz: 44_100, audioChannels: 2 };
  const session = { sourceSegments: 1_234, sourceSegmentsDuration: 60, transcodedSegments: 0 } as StreamLive['session'];
  expect(listOf({ ...measured, ...audio, videoCodec: 'avc1.64001f', encoder: 'OBS' }, session)).toEqual({
    'Last seen': 'never',
    Picture: '1280 × 720',
    'Frame rate': '30\u00a0fps',
    'Keyframe interval': '2.0\u00a0s',
    Video: 'H.264 High 3.1',
    Audio: 'AAC-LC 44.1\u00a0kHz stereo',
    Encoder: 'OBS',
    'Time to first picture': '2.4\u00a0s',
    'Source segments': '1\u202f234, 1\u00a0min in total',
  });
  const unknown = ['Picture', 'Frame rate', 'Keyframe interval', 'Video', 'Audio', 'Encoder', 'Time to first picture'];
  const nothing = Object.fromEntries([...unknown, 'Source segments'].map((name) => [name, undefined]));
  for (const meters of [undefined, {}]) expect(listOf(meters)).toEqual({ 'Last seen': 'never', ...nothing });
  expect([1, 6].map((audioChannels) => listOf({ audioCodec: 'opus', audioChannels }).Audio)).toEqual([
    'Opus mono',
    'Opus 6 channels',
  ]);
});
