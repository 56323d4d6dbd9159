import { expect, test } from 'vitest';
import { ownSoftware } from '../lib/own-software.ts';
import { Refusals, type RefusedTry } from './refusals.ts';

const wrongKey = (remoteAddress = '192.0.2.1', software?: string): RefusedTry => ({
  reason: { code: 'wrong-key' },
  publisher: { remoteAddress, software },
});
const oldKey = (remoteAddress = '192.0.2.1'): RefusedTry => ({
  ...wrongKey(remoteAddress),
  reason: { code: 'old-key' },
  streamId: 'a',
});
const codec = { code: 'codec', track: 'video', name: 'HEVC' } as const;
const all = { foreign: true };

test('a publisher that tries repeatedly is one refusal, newest first, with its readable name', () => {
  const refusals = new Refusals();
  refusals.add(wrongKey('192.0.2.1', 'FMLE/3.0 (compatible; Lavf60.3.100)'), 1_000);
  refusals.add(oldKey(), 2_000);
  refusals.add(wrongKey('192.0.2.1', 'FMLE/3.0 (compatible; Lavf60.3.100)'), 3_000);
  const address = '192.0.2.1';
  expect(refusals.list('a', all, 4_000)).toEqual([
    { id: 1, at: 1_000, lastAt: 3_000, count: 2, reason: { code: 'wrong-key' }, address, software: 'FFmpeg' },
    { id: 2, at: 2_000, lastAt: 2_000, count: 1, reason: { code: 'old-key' }, address },
  ]);
  expect(refusals.list('a', { foreign: false }, 4_000).map(({ reason }) => reason.code)).toEqual(['old-key']);
  expect(refusals.list('b', all, 4_000).map(({ reason }) => reason.code)).toEqual(['wrong-key']);
});

test('another program on the same computer is a refusal of its own, and is not named after the first', () => {
  const refusals = new Refusals();
  const obs = 'FMLE/3.0 (compatible; FMSc/1.0)';
  refusals.add(wrongKey('127.0.0.1', 'FMLE/3.0 (compatible; Lavf60.3.100)'), 1_000);
  refusals.add(wrongKey('127.0.0.1', obs), 2_000);
  refusals.add(wrongKey('127.0.0.1', obs), 3_000);
  expect(refusals.list('a', all, 4_000).map(({ id, count, software }) => [id, count, software])).toEqual([
    [2, 2, undefined],
    [1, 1, 'FFmpeg'],
  ]);
});

test('a publisher whose name was known keeps it when it tries again', () => {
  const refusals = new Refusals();
  const obs = wrongKey('192.0.2.1', 'FMLE/3.0 (compatible; FMSc/1.0)');
  refusals.add({ ...obs, name: 'OBS Studio 29.0.2' }, 1_000);
  refusals.add(obs, 2_000);
  expect(refusals.list('a', all, 3_000).map(({ count, software }) => [count, software])).toEqual([[2, 'OBS Studio 29.0.2']]);
});

test('one publisher that is refused for two reasons has two refusals, each with its own tries', () => {
  const refusals = new Refusals();
  const refused: RefusedTry = { ...oldKey(), reason: codec };
  for (const [at, each] of [oldKey(), refused, oldKey(), refused, refused].entries()) refusals.add(each, at);
  const address = '192.0.2.1';
  expect(refusals.list('a', all, 5)).toEqual([
    { id: 2, at: 1, lastAt: 4, count: 3, reason: codec, address },
    { id: 1, at: 0, lastAt: 2, count: 2, reason: { code: 'old-key' }, address },
  ]);
});

test('a flood from many addresses keeps the newest twenty, beside those of each stream', () => {
  const refusals = new Refusals();
  refusals.add(oldKey(), 0);
  for (let i = 0; i < 1_000; i += 1) refusals.add(wrongKey(`192.0.2.${i}`), i);
  const kept = refusals.list('a', all, 1_000);
  expect([kept.length, kept[0]?.address, kept[19]?.address, kept[20]?.reason.code]).toEqual([
    21,
    '192.0.2.999',
    '192.0.2.980',
    'old-key',
  ]);
});

test('a refusal is past ten minutes after the last try, and that is reported once', () => {
  const refusals = new Refusals();
  refusals.add(wrongKey(), 0);
  expect([refusals.takeChanged(1), refusals.takeChanged(2)]).toEqual([[undefined], []]);
  refusals.add(wrongKey(), 60_000);
  expect([refusals.list('a', all, 659_999).length, refusals.list('a', all, 660_000).length]).toEqual([1, 0]);
  refusals.takeChanged(60_000);
  expect([refusals.takeChanged(660_000), refusals.takeChanged(660_001)]).toEqual([[undefined], []]);
});

test('a publisher that is admitted clears the refusals of its stream and its own; one for a codec is past once it is on air', () => {
  const refusals = new Refusals();
  for (const refused of [wrongKey(), wrongKey('192.0.2.2'), oldKey(), { ...oldKey(), reason: codec }]) {
    refusals.add(refused, 0);
  }
  refusals.admitted('a', wrongKey().publisher);
  expect(refusals.list('a', all, 1).map(({ reason, address }) => [reason.code, address])).toEqual([
    ['codec', '192.0.2.1'],
    ['wrong-key', '192.0.2.2'],
  ]);
  refusals.onAir('a');
  expect(refusals.list('a', { foreign: false }, 1)).toEqual([]);
  refusals.add(oldKey(), 2);
  refusals.forget('a');
  expect([refusals.list('a', { foreign: false }, 3), refusals.takeChanged(3)]).toEqual([[], [undefined]]);
});

test('a publisher that is admitted leaves the refusals of other programs on its computer', () => {
  const refusals = new Refusals();
  const ffmpeg = wrongKey('127.0.0.1', 'FMLE/3.0 (compatible; Lavf60.3.100)');
  refusals.add(ffmpeg, 0);
  // Refused before it said what it is.
  refusals.add({ ...wrongKey('127.0.0.1'), reason: { code: 'certificate' } }, 0);
  refusals.admitted('a', { remoteAddress: '127.0.0.1', software: ownSoftware });
  expect(refusals.list('b', all, 1)).toMatchObject([{ software: 'FFmpeg' }]);
  refusals.admitted('a', ffmpeg.publisher);
  expect(refusals.list('b', all, 1)).toEqual([]);
});

test('a publisher that tries at growing intervals is one refusal; after a longer pause it is a new one', () => {
  const refusals = new Refusals();
  const addAt = (now: number) => {
    refusals.add(wrongKey(), now);
    return refusals.list('a', all, now).map(({ id, count, at }) => [id, count, at]);
  };
  let now = 0;
  let told = addAt(now);
  for (let pauseMs = 2_000; pauseMs < 120_000; pauseMs *= 1.5) {
    now += pauseMs;
    told = addAt(now);
  }
  expect(told).toEqual([[1, 12, 0]]);
  now += 300_000;
  expect(addAt(now)).toEqual([[2, 1, now]]);
  expect(addAt(now + 59_999)).toEqual([[2, 2, now]]);
});

test('a publisher that has paused for long may do so again, though it tried sooner in between', () => {
  const refusals = new Refusals();
  for (const now of [0, 50_000, 140_000, 145_000, 235_000]) refusals.add(wrongKey(), now);
  expect(refusals.list('a', all, 235_000)).toMatchObject([{ id: 1, count: 5, at: 0 }]);
});
