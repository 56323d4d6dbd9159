import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { PacedPictures } from './paced-run.ts';

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] }));
afterEach(() => void vi.useRealTimers());

const format = { width: 2, height: 2, fps: 30 };
const frame = `process.stdout.write(Buffer.alloc(6));`;

/** Pictures of a program that behaves like this instead of ffmpeg. */
function openPictures(script: string, maxFrames = 2): PacedPictures {
  const pictures = new PacedPictures(process.execPath, ['-e', `${script} setInterval(() => {}, 1e9);`], format, maxFrames);
  onTestFinished(() => pictures.close());
  return pictures;
}

/** The process is held up for this long: time passes, but nothing runs. */
function holdUp(ms: number): void {
  const before = performance.now.bind(performance);
  const spy = vi.spyOn(performance, 'now').mockImplementation(() => before() + ms);
  onTestFinished(() => spy.mockRestore());
}

test('an ffmpeg that gives nothing for 5 s is stuck', () => {
  const pictures = openPictures('');
  vi.advanceTimersByTime(4_999);
  expect([pictures.isStuck, pictures.fault]).toEqual([false, undefined]);
  vi.advanceTimersByTime(2);
  expect([pictures.isStuck, pictures.fault]).toEqual([true, { code: 'stuck' }]);
});

test('an ffmpeg is not stuck because this process was held up, unless it gives nothing for 2 s after that', () => {
  const pictures = openPictures('');
  vi.advanceTimersByTime(1_000);
  holdUp(60_000);
  expect(pictures.isStuck).toBe(false);
  vi.advanceTimersByTime(4_000);
  expect(pictures.isStuck).toBe(false);
  vi.advanceTimersByTime(2_000);
  expect(pictures.isStuck).toBe(true);
});

test('an ffmpeg whose output is held back is not stuck, but may be once its output is wanted again', async () => {
  const pictures = openPictures(frame, 1);
  await pictures.settled;
  vi.advanceTimersByTime(60_000);
  expect(pictures.isStuck).toBe(false);
  pictures.take()?.release();
  vi.advanceTimersByTime(5_001);
  expect(pictures.isStuck).toBe(true);
});

test('an ffmpeg that gives something after all is no longer stuck', async () => {
  const pictures = openPictures(frame);
  vi.advanceTimersByTime(5_001);
  expect(pictures.isStuck).toBe(true);
  await pictures.settled;
  expect([pictures.isStuck, pictures.fault]).toEqual([false, undefined]);
});

test.each([
  ['was held back', 1],
  ['was waited for', 2],
])(
  'an ffmpeg that has ended, and whose output %s, is not stuck, however late the last of it is taken',
  async (_, maxFrames) => {
    const pictures = openPictures(`${frame} process.exit();`, maxFrames);
    await pictures.settled;
    await expect.poll(() => pictures.isDecoded).toBe(true);
    vi.advanceTimersByTime(5_001);
    expect(pictures.isStuck).toBe(false);
    pictures.take()?.release();
    vi.advanceTimersByTime(5_001);
    expect([pictures.isStuck, pictures.isOver]).toEqual([false, true]);
  },
);
