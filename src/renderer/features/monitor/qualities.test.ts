import { expect, test } from 'vitest';
import type { AirState, RenditionView } from '../../../shared/model/live.ts';
import { listQualities, markUndecodable, parseRenditionFolder, renditionUrl } from './qualities.ts';

const asked = { name: '480p', bitrate: 1_600_000, fps: 0, width: 854, height: 480 };
const onAir: AirState = { kind: 'on-air', since: 0, sessionId: 's' };
const lost: AirState = { kind: 'reconnecting', since: 0, sessionId: 's', lostAt: 1_000, until: 61_000 };
const meters = { measuredAt: 0, bitrateBps: 3_012_000, fps: 29.97, width: 1280, height: 720, keyframeIntervalSeconds: 1 };

test('the source comes first with its measurements, then every rendition against its profile', () => {
  const running: RenditionView = {
    asked,
    name: '480p',
    state: 'running',
    bitrateBps: 1_580_000,
    fps: 30,
    keyframeIntervalSeconds: 1,
  };
  expect(listQualities(meters, [running], onAir, false)).toEqual([
    {
      name: 'source',
      label: 'Source',
      size: '1280 × 720',
      rate: '3\u202f012\u00a0kbit/s',
      note: '3\u202f012\u00a0kbit/s · 30\u00a0fps · keyframes 1.0\u00a0s',
      status: { kind: 'good', word: 'Running' },
    },
    {
      name: '480p',
      label: '480p',
      size: '854 × 480',
      rate: '1\u202f580 of 1\u202f600\u00a0kbit/s',
      note: '1\u202f580 of 1\u202f600\u00a0kbit/s · 30\u00a0fps · keyframes 1.0\u00a0s',
      status: { kind: 'good', word: 'Running' },
    },
  ]);
});

test("a rendition that is not made can't be played and says why; one waiting for a segment can", () => {
  const qualities = listQualities(
    undefined,
    [
      { asked, name: '480p', state: 'shed' },
      { asked, state: 'waiting' },
      { asked, name: '480p', state: 'waiting' },
    ],
    lost,
    false,
  );
  expect(qualities.map(({ name, status, note }) => [name, status.word, note])).toEqual([
    ['source', 'Waiting', 'No media arrives'],
    [undefined, 'Paused', "The computer can't keep up right now"],
    [undefined, 'Waiting', 'No media arrives'],
    ['480p', 'Waiting', 'No media arrives'],
  ]);
});

test("what the browser can't decode can't be played, and says so", () => {
  const qualities = listQualities(undefined, [{ asked, name: '480p', state: 'running' }], onAir, false);
  expect(markUndecodable(qualities, ['source']).map(({ name, note }) => [name, note])).toEqual([
    [undefined, "This browser can't decode it"],
    ['480p', qualities[1]?.note],
  ]);
  expect(markUndecodable(qualities, undefined)).toEqual(qualities);
});

test('a waiting source or rendition says why', () => {
  const why = (air: AirState) =>
    listQualities(undefined, [{ asked, state: 'waiting' }], air, false).map(({ status }) => [status.word, status.sentence]);
  expect(why(onAir)).toEqual([
    ['Running', undefined],
    ['Waiting', "Its next segment hasn't arrived yet"],
  ]);
  expect(why({ ...onAir, silentSince: 5_000 })).toEqual(Array(2).fill(['Waiting', "The encoder isn't sending"]));
  const { until: _, ...back } = lost;
  expect(why({ ...back, back: 'connected' })).toEqual(Array(2).fill(['Waiting', "The encoder isn't sending"]));
  expect(why({ ...back, back: 'sending' })).toEqual(Array(2).fill(['Waiting', 'The picture follows in a moment']));
  for (const air of [
    { ...onAir, silentSince: 5_000 },
    { ...back, back: 'sending' as const },
  ])
    expect(why({ ...air, unplayable: 'unusable' })).toEqual(Array(2).fill(['Waiting', "Incoming media can't be played"]));
  expect(why(lost)).toEqual(Array(2).fill(['Waiting', 'No media arrives']));
});

test('a rate that is no longer measured is a dash, and no rendition of a lost service is “Running”', () => {
  const running: RenditionView = { asked, name: '480p', state: 'running', bitrateBps: 1_580_000 };
  const says = (air: AirState, isUnheard: boolean) =>
    listQualities(meters, [running], air, isUnheard).map(({ rate, status }) => [rate, status.word]);
  const dashes = ['–\u00a0kbit/s', '– of 1\u202f600\u00a0kbit/s'];
  expect(says({ ...onAir, silentSince: 5_000 }, false)).toEqual(dashes.map((rate) => [rate, 'Waiting']));
  expect(says(lost, false)).toEqual(dashes.map((rate) => [rate, 'Waiting']));
  expect(says(onAir, true)).toEqual(dashes.map((rate) => [rate, 'No contact']));
});

test('a rendition is identified by the folder of its media playlist', () => {
  const multivariant = 'http://127.0.0.1:4600/hls/abc/index.m3u8';
  expect(renditionUrl(multivariant, '480p')).toBe('http://127.0.0.1:4600/hls/abc/480p/index.m3u8');
  expect(parseRenditionFolder(renditionUrl(multivariant, 'ä b'))).toBe('ä b');
  expect([parseRenditionFolder('source/index.m3u8?x=1/2'), parseRenditionFolder('/index.m3u8')]).toEqual(['source', undefined]);
});
