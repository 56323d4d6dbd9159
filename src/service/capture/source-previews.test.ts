import { afterEach, expect, onTestFinished, test, vi } from 'vitest';
import { noCaptures } from '../../../test/support/no-captures.ts';
import type { Source } from '../../shared/model/source.ts';
import { onFault } from '../lib/faults.ts';
import { createSystemClock } from '../lib/system-clock.ts';
import { Feed } from './feed.ts';
import type { CaptureTools } from './parts.ts';
import { RunningPreview } from './source-preview.ts';
import { SourcePreviews } from './source-previews.ts';

const source: Source = {
  picture: { main: { kind: 'page', captureId: 'one', of: 'camera', name: 'Camera' } },
  sound: { inputs: [], limits: false },
};
const tools: CaptureTools = {
  ...noCaptures,
  ffmpegPath: '/nonexistent/ffmpeg',
  deviceFfmpegs: { paths: new Map(), installCommand: undefined },
  clockFontPath: undefined,
};

afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

/**
 * Previews on a computer whose ffmpeg is still being looked for; `opened` counts the pictures that they have opened, `watched` are those
 * that are open now, by capture id.
 */
function open() {
  const found = Promise.withResolvers<CaptureTools>();
  const seen = { opened: 0 };
  const watched: string[] = [];
  const pages = {
    ...noCaptures.pages,
    watchPictures: (captureId: string) => {
      seen.opened += 1;
      watched.push(captureId);
      return () => void watched.splice(watched.indexOf(captureId), 1);
    },
  };
  const previews = new SourcePreviews({ findTools: () => found.promise, clock: createSystemClock() });
  onTestFinished(() => previews.close());
  const find = () => found.resolve({ ...tools, pages });
  return { previews, find, seen, watched: () => watched };
}

test('no more than four previews run, also if they were asked for before ffmpeg was found', async () => {
  const { previews, find, seen } = open();
  const watching = new AbortController();
  const answers = Array.from({ length: 6 }, () => previews.watch(source, watching.signal).next());
  find();
  const settled = await Promise.allSettled(answers);
  expect(settled.map(({ status }) => status)).toEqual([...Array(4).fill('fulfilled'), 'rejected', 'rejected']);
  expect(seen.opened).toBe(4);
  watching.abort();
});

test('a preview that nobody waits for any more once ffmpeg is found, or after the end, opens nothing', async () => {
  const { previews, find, seen } = open();
  const left = new AbortController();
  const watching = new AbortController();
  const first = previews.watch(source, left.signal).next();
  left.abort();
  const second = previews.watch(source, watching.signal).next();
  await previews.close();
  find();
  expect([(await first).done, (await second).done, seen.opened]).toEqual([true, true, 0]);
});

/** The same source, of another camera. */
const sourceOf = (captureId: string): Source => ({
  ...source,
  picture: { main: { kind: 'page', captureId, of: 'camera', name: 'Camera' } },
});

/** Watches a preview until it has a first value, and leaves. */
async function look(previews: SourcePreviews, captureId: string, previewId?: string) {
  const watching = new AbortController();
  const values = previews.watch(sourceOf(captureId), watching.signal, previewId);
  await values.next();
  watching.abort();
  await values.next();
}

test('a preview continues only for who watched it: others never see its picture or hear its sound', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const { previews, find, watched } = open();
  find();
  await look(previews, 'one', 'first page');
  await look(previews, 'two', 'other page');
  await look(previews, 'three');
  await look(previews, 'four');
  expect(watched()).toEqual(['one', 'two', 'three', 'four']);
  await look(previews, 'one', 'first page');
  expect(watched()).toEqual(['one', 'two', 'three', 'four']);
});

test('a preview that nobody watches makes room for another', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const { previews, find, watched } = open();
  find();
  for (const captureId of ['one', 'two', 'three', 'four', 'five']) await look(previews, captureId);
  await expect.poll(watched).toEqual(['two', 'three', 'four', 'five']);
});

test.each([
  ['opened', ['showing a preview', 'metering audio'], breakOpening],
  ['ended', ['ending a preview'], breakEnding],
] as const)('a bug in a preview that is %s is reported, and ends nothing else', async (_, expected, breakPreview) => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const { previews, find } = open();
  breakPreview();
  const faults: string[] = [];
  onTestFinished(onFault(({ during }) => void faults.push(during)));
  find();
  await look(previews, 'one');
  vi.advanceTimersByTime(1_500);
  await expect.poll(() => faults).toEqual(expected);
});

function breakOpening(): void {
  vi.spyOn(Feed.prototype, 'start').mockResolvedValue();
  vi.spyOn(Feed.prototype, 'tap').mockImplementation(() => {
    throw new Error('A bug.');
  });
}

function breakEnding(): void {
  vi.spyOn(RunningPreview.prototype, 'close').mockRejectedValue(new Error('A bug.'));
}
