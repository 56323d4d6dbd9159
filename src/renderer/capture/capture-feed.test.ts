import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { BrowserSocket, BrowserTrack, stubResampling, stubTrackProcessor } from '../../../test/support/browser-track.ts';
import { feedCapture } from './capture-feed.ts';
import type { OpenedMedia } from './open-media.ts';

const small = { width: 2, height: 2, fps: 30 };

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
  stubTrackProcessor();
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

/** A capture that feeds an open socket; everything that happens is recorded. */
function feed(
  of: OpenedMedia['of'] = 'screen',
  { sampleRate, keepsSize = false }: { sampleRate?: number; keepsSize?: boolean } = {},
) {
  const video = new BrowserTrack('video');
  const picture = of === 'microphone' ? undefined : video;
  const audio = new BrowserTrack('audio', sampleRate);
  const socket = new BrowserSocket();
  const heard: unknown[] = [];
  const over = feedCapture({
    media: { of, name: 'It', keepsSize, picture: picture as never, sound: audio as never },
    socket: socket as never,
    onSilence: (isSilent) => heard.push(isSilent ? 'silent' : 'heard'),
    onFault: (error) => heard.push(error === undefined ? 'works' : String(error)),
    onStuck: () => heard.push('stuck'),
  });
  const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms);
  const want = async (wish: { video?: typeof small; audio: boolean }) => {
    socket.hear({ kind: 'want', ...wish });
    await pass(1);
  };
  let at = 0;
  const frame = async (luma: number, timestamp = at + 100_000, copyTo = async (bytes: Uint8Array) => void bytes.fill(luma)) => {
    at = timestamp;
    const visibleRect = { x: 0, y: 0, width: 2, height: 2 };
    const colorSpace = { matrix: 'bt709', fullRange: false };
    video.push({ format: 'I420', colorSpace, displayWidth: 2, displayHeight: 2, visibleRect, timestamp, copyTo });
    await pass(1);
  };
  /** The first pixel of each picture that was sent. */
  const pictures = () => socket.sent.flatMap((data) => (typeof data === 'string' ? [] : [new Uint8Array(data)[8]]));
  return { video, audio, socket, heard, over, pass, want, frame, pictures };
}

const refuse = async () => {
  throw new DOMException('The graphics card was reset.', 'InvalidStateError');
};

test('a frame that cannot be copied is reported, and sending resumes by itself', async () => {
  const { frame, heard, pass, pictures, video, want } = feed();
  await want({ video: small, audio: false });
  await frame(1);
  await frame(2, undefined, refuse);
  expect(heard).toEqual(['InvalidStateError: The graphics card was reset.']);
  await pass(1_000);
  expect(video.reads).toBe(2);
  await frame(3);
  expect([pictures(), heard.slice(1)]).toEqual([[1, 3], ['works']]);
  await want({ audio: false });
  expect(heard).toHaveLength(2);
});

test('what fails and is not wanted any more works', async () => {
  const { frame, heard, pass, video, want } = feed();
  await want({ video: small, audio: false });
  await frame(1, undefined, refuse);
  await want({ audio: false });
  expect(heard.slice(1)).toEqual(['works']);
  await pass(5_000);
  expect(video.reads).toBe(1);
});

test('a screen that does not change sends its last picture again when asked, and is read again if it has none', async () => {
  const { frame, pictures, pass, socket, video, want } = feed();
  await want({ video: small, audio: false });
  socket.hear({ kind: 'again' });
  await pass(1);
  expect(video.reads).toBe(1);
  socket.hear({ kind: 'again' });
  await pass(1);
  expect(video.reads).toBe(2);
  await frame(5);
  socket.hear({ kind: 'again' });
  // Two are under way.
  socket.hear({ kind: 'again' });
  expect(pictures()).toEqual([5, 5]);
  socket.hear({ kind: 'took', frames: 2 });
  socket.hear({ kind: 'again' });
  expect([pictures(), video.reads]).toEqual([[5, 5, 5], 2]);
});

test('pictures go on when their times begin again, as of another tab that is shared instead', async () => {
  const { frame, pictures, socket, want } = feed();
  await want({ video: small, audio: false });
  await frame(1, 9_000_000);
  socket.hear({ kind: 'took', frames: 1 });
  await frame(2, 0);
  socket.hear({ kind: 'took', frames: 2 });
  // Early, for 30 a second.
  await frame(3, 10_000);
  await frame(4, 34_000);
  expect(pictures()).toEqual([1, 2, 4]);
});

test('a picture is asked for in the wanted size, unless its size must stay', async () => {
  const { frame, pictures, socket, video, want } = feed('window', { keepsSize: true });
  const other = feed('window');
  const larger = { width: 4, height: 4, fps: 30 };
  for (const size of [small, larger]) {
    await want({ video: size, audio: false });
    await other.want({ video: size, audio: false });
  }
  expect(video.constraints).toEqual([]);
  expect(other.video.constraints).toEqual(
    [2, 4].map((side) => ({ width: { max: side }, height: { max: side }, frameRate: { max: 30 } })),
  );
  await want({ video: small, audio: false });
  // It comes with 60 a second.
  for (const [at, taken] of [1, 2, 3].entries()) {
    await frame(at + 1, (at + 1) * 16_667);
    socket.hear({ kind: 'took', frames: taken });
  }
  expect(pictures()).toEqual([1, 3]);
});

test('a camera that sends nothing is read again, and released after five questions', async () => {
  const { frame, heard, pictures, pass, socket, video, want } = feed('camera');
  await want({ video: small, audio: false });
  await frame(5);
  for (let asked = 0; asked < 5; asked += 1) {
    expect(heard).toEqual([]);
    socket.hear({ kind: 'again' });
    await pass(1);
  }
  expect([heard, pictures(), video.reads]).toEqual([['stuck'], [5], 3]);
});

test('a microphone that sends nothing is released after five questions in a row', async () => {
  const { audio, heard, pass, socket, want } = feed('microphone');
  await want({ audio: true });
  const ask = async (times: number) => {
    for (let asked = 0; asked < times; asked += 1) {
      expect(heard).toEqual([]);
      socket.hear({ kind: 'again' });
      await pass(1);
    }
  };
  await ask(4);
  audio.push({ numberOfChannels: 2, numberOfFrames: 10, copyTo: (samples: Float32Array) => void samples.fill(0.1) });
  await pass(1);
  await ask(5);
  expect(heard).toEqual(['stuck']);
});

test.each(['camera', 'microphone'] as const)('after what is wanted has changed, a %s gets five questions again', async (of) => {
  const { heard, pass, socket, want } = feed(of);
  const ask = async (times: number) => {
    for (let asked = 0; asked < times; asked += 1) {
      socket.hear({ kind: 'again' });
      await pass(1);
    }
  };
  await want({ video: small, audio: true });
  await ask(4);
  await want({ video: { ...small, fps: 25 }, audio: true });
  await ask(4);
  expect(heard).toEqual([]);
  await ask(1);
  expect(heard).toEqual(['stuck']);
});

test('a microphone that the browser resamples is released, too, though the browser makes silence while it sends nothing', async () => {
  const resampled = stubResampling();
  const { audio, heard, pass, socket, want } = feed('microphone', { sampleRate: 44_100 });
  await want({ audio: true });
  const block = (level: number) => ({
    numberOfChannels: 1,
    numberOfFrames: 10,
    copyTo: (samples: Float32Array) => void samples.fill(level),
  });
  const sounds = () => socket.sent.filter((data) => typeof data !== 'string').length;
  audio.push(block(0.1));
  await pass(1);
  resampled.push(block(0.1));
  await pass(1);
  expect(sounds()).toBe(1);
  for (let asked = 0; asked < 5; asked += 1) {
    await pass(2_000);
    resampled.push(block(0));
    await pass(1);
    expect([heard, sounds()]).toEqual([[], 1]);
    socket.hear({ kind: 'again' });
  }
  expect(heard).toEqual(['stuck']);
});

test('sound that is exactly zero for 5 s is reported once, and again when it is heard', async () => {
  const { audio, heard, pass, want } = feed();
  await want({ audio: true });
  const push = async (level: number) => {
    const copyTo = (samples: Float32Array) => void samples.fill(level);
    audio.push({ numberOfChannels: 2, numberOfFrames: 10, copyTo });
    await pass(0);
  };
  await push(0);
  await pass(5_000);
  await push(0);
  expect(heard).toEqual([]);
  await pass(1);
  await push(0);
  await push(0);
  expect(heard).toEqual(['silent']);
  // Also if nobody wanted it meanwhile.
  await want({ audio: false });
  await want({ audio: true });
  await push(0.1);
  await push(0);
  expect(heard).toEqual(['silent', 'heard']);
});

test('muted and ended tracks are reported, and the feed ends with its socket', async () => {
  const { audio, over, socket, video } = feed();
  audio.muted = true;
  audio.dispatchEvent(new Event('mute'));
  video.end();
  const told = socket.sent.map((data) => JSON.parse(String(data)));
  expect(told.map(({ track, state }) => `${track} ${state}`)).toEqual([
    'video live',
    'audio live',
    'audio muted',
    'video ended',
  ]);
  socket.close();
  await over;
});
