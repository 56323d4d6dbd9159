import { once } from 'node:events';
import { PassThrough } from 'node:stream';
import { afterEach, beforeEach, expect, onTestFinished, test } from 'vitest';
import { soon } from '../../../test/support/soon.ts';
import type { Source } from '../../shared/model/source.ts';
import { createSystemClock } from '../lib/system-clock.ts';
import type { Clock } from '../ports.ts';
import { Feed } from './feed.ts';

/** A source from a page that is closed, so that it is known at once to be away. */
const closed = (captureId: string): Source => ({
  picture: { main: { kind: 'page', captureId, of: 'camera', name: captureId } },
  sound: { inputs: [], limits: false },
});
const pages = {
  watchPictures: (_id: string, _wish: unknown, { onLost }: { onLost: (fault: { code: 'page-closed' }) => void }) => {
    onLost({ code: 'page-closed' });
    return () => {};
  },
  watchSound: () => () => {},
};
const devices = { find: () => undefined, look: async () => {}, onChange: () => () => {} };
const shared = { watchPictures: () => async () => {}, watchSound: () => async () => {} };

/** A feed of 30 frames a second, with a keyframe each second. */
async function startFeed(clock: Clock): Promise<Feed> {
  const deviceFfmpegs = { paths: new Map(), installCommand: undefined };
  const tools = { devices, shared, pages, ffmpegPath: 'none', deviceFfmpegs, clockFontPath: undefined };
  const format = { width: 16, height: 16, fps: 30 };
  const started = new Feed({ source: closed('first'), format, gopFrames: 30, tools, clock });
  await started.start();
  return started;
}

let feed: Feed;
beforeEach(async () => {
  feed = await startFeed(createSystemClock());
});
afterEach(() => feed.close());

test('a change is on at the next keyframe', async () => {
  expect(await feed.change(closed('second'))).toBe(true);
  expect(feed.source).toEqual(closed('second'));
});

test('a change is asked only about what it brings: what the source before lacks as well is no reason to refuse it', async () => {
  const asked: string[][] = [];
  const ask = (away: { name: string }[]) => void asked.push(away.map(({ name }) => name));
  const inCorner = { of: closed('second').picture.main, corner: 'top-left', share: 0.5 } as const;
  const { picture, sound } = closed('first');
  await feed.change({ picture, sound: { ...sound, limits: true } }, ask);
  await feed.change({ picture: { ...picture, inset: inCorner }, sound }, ask);
  await feed.change(closed('third'), ask);
  expect(asked).toEqual([[], ['second'], ['third']]);
});

test('a change that another one overtakes says so, also when that one is refused', async () => {
  const overtaken = feed.change(closed('second'));
  const refused = feed.change(closed('third'), () => {
    throw new Error('refused');
  });
  await expect(refused).rejects.toThrow('refused');
  expect([await overtaken, feed.source]).toEqual([false, closed('first')]);
});

test('a change that the end overtakes says so', async () => {
  const overtaken = feed.change(closed('second'));
  await feed.close();
  expect([await overtaken, await feed.change(closed('third'))]).toEqual([false, false]);
});

test('a change that the end overtakes is not refused: what it brings was closed, not broken', async () => {
  const overtaken = feed.change(closed('second'), () => {
    throw new Error('refused');
  });
  const [isOn] = await Promise.all([overtaken, feed.close()]);
  expect(isOn).toBe(false);
});

test('a change that is withdrawn leaves the source before, and so does one that already was', async () => {
  const withdrawal = new AbortController();
  const withdrawn = feed.change(closed('second'), () => {}, withdrawal.signal);
  withdrawal.abort();
  expect([await withdrawn, feed.source]).toEqual([false, closed('first')]);
  expect(await feed.change(closed('second'), () => {}, withdrawal.signal)).toBe(false);
  expect(await feed.change(closed('third'))).toBe(true);
});

test('a tap begins at a keyframe, also where the frames are left out that it would have begun with', async () => {
  let ms = 0;
  const held = await startFeed({ now: () => ms, monotonicMs: () => ms });
  onTestFinished(() => held.close());
  const input = new PassThrough().resume();
  const tap = held.tap({ tracks: { video: true, audio: true }, input });
  await once(input, 'data');
  expect(tap.firstFrame).toBe(0);
  const later = held.tap({ tracks: { video: true, audio: true }, input });
  ms = 3_200;
  await soon(() => expect(held.capturedAt(96)).toBe(3_200));
  ms = 4_000;
  await soon(() => expect(later.firstFrame).toBeDefined());
  expect(later.firstFrame).toBe(120);
});
