import { expect, onTestFinished, test, vi } from 'vitest';
import { FakeVideo, liveSeconds, opened, openPlayer, setHidden, watchRewound } from '../../../../test/support/player-stand.ts';

/** Lets the test move the time on. The page is visible again when it ends. */
function useTestTime() {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'performance'] });
  onTestFinished(() => {
    setHidden(false);
    vi.useRealTimers();
  });
}

test('a muted monitor on a hidden page closes its player after 5 s, keeps its picture, says nothing of it, and opens one once seen', () => {
  useTestTime();
  const video = new FakeVideo();
  const { views, onReplace } = openPlayer(video);
  opened[0]?.buffer(30);
  video.advance(1);
  expect(views.at(-1)?.phase).toEqual({ kind: 'playing' });
  setHidden(true);
  vi.advanceTimersByTime(4_500);
  expect([opened[0]?.isDestroyed, onReplace.mock.calls.length]).toEqual([false, 0]);
  vi.advanceTimersByTime(500);
  expect([opened[0]?.isDestroyed, onReplace.mock.calls.length]).toEqual([true, 1]);
  const unwatched = { kind: 'unwatched', next: { kind: 'opening' } };
  expect(views.at(-1)).toEqual({
    phase: unwatched,
    isFollowing: true,
    heightPixels: video.videoHeight,
    undecodable: ['source'],
  });
  vi.advanceTimersByTime(3_600_000);
  expect([opened.length, views.at(-1)?.phase]).toEqual([1, unwatched]);
  setHidden(false);
  expect([opened.length, views.at(-1)?.phase]).toEqual([2, { kind: 'opening' }]);
});

test('a monitor that is heard plays on while its page is hidden, until it is muted', () => {
  useTestTime();
  const video = new FakeVideo();
  const { views } = openPlayer(video);
  const setMuted = (isMuted: boolean) => {
    video.muted = isMuted;
    video.dispatchEvent(new Event('volumechange'));
  };
  opened[0]?.buffer(30);
  setMuted(false);
  setHidden(true);
  const listen = () => {
    for (let second = 1; second <= 20; second += 1) {
      video.advance(video.currentTime + 1);
      opened[0]?.buffer(30);
      vi.advanceTimersByTime(1_000);
    }
  };
  listen();
  expect([opened[0]?.isDestroyed, views.at(-1)?.phase]).toEqual([false, { kind: 'playing' }]);
  setMuted(true);
  listen();
  expect([opened[0]?.isDestroyed, views.at(-1)?.phase.kind]).toEqual([true, 'unwatched']);
  setMuted(false);
  expect([opened.length, views.at(-1)?.phase]).toEqual([2, { kind: 'opening' }]);
});

test('a player that is made on a hidden page opens nothing before it is seen, and never once it is closed', () => {
  useTestTime();
  setHidden(true);
  openPlayer(new FakeVideo());
  openPlayer(new FakeVideo()).player.close();
  vi.advanceTimersByTime(60_000);
  expect(opened.length).toBe(0);
  setHidden(false);
  expect(opened.length).toBe(1);
});

test('a viewer who paused, and whose page was hidden, finds the same moment, still paused', () => {
  useTestTime();
  const { video, player, views } = watchRewound();
  video.show(0, { mediaTime: 5 });
  video.pause();
  setHidden(true);
  vi.advanceTimersByTime(60_000);
  expect(views.at(-1)?.phase).toEqual({ kind: 'unwatched', next: { kind: 'paused' } });
  setHidden(false);
  video.currentTime = 0;
  opened[1]?.attach();
  opened[1]?.buffer(liveSeconds);
  expect([video.currentTime, video.paused]).toEqual([5, true]);
  expect(views.at(-1)).toMatchObject({ phase: { kind: 'paused' }, isFollowing: false });
  player.play();
  expect(views.at(-1)).toMatchObject({ phase: { kind: 'playing' }, isFollowing: false });
  expect(video.currentTime).toBe(5);
});

test('a heard monitor that its viewer has paused loads nothing while its page is hidden, until it is seen or plays again', () => {
  useTestTime();
  const { video, player, views } = watchRewound();
  video.muted = false;
  video.dispatchEvent(new Event('volumechange'));
  const isLoading = () => opened[0]?.isLoading;
  video.pause();
  expect(isLoading()).toBe(true);
  setHidden(true);
  vi.advanceTimersByTime(60_000);
  expect([opened.length, opened[0]?.isDestroyed, isLoading(), views.at(-1)?.phase]).toEqual([
    1,
    false,
    false,
    { kind: 'paused' },
  ]);
  setHidden(false);
  expect([isLoading(), video.paused]).toEqual([true, true]);
  setHidden(true);
  expect(isLoading()).toBe(false);
  // As by a media key, though nobody sees it.
  player.play();
  expect([isLoading(), views.at(-1)?.phase]).toEqual([true, { kind: 'playing' }]);
  video.pause();
  expect(isLoading()).toBe(false);
});

test('a paused player whose page is seen only for a moment reads its multivariant playlist before it rests', () => {
  useTestTime();
  const { video } = watchRewound();
  video.show(0, { mediaTime: 5 });
  video.pause();
  setHidden(true);
  vi.advanceTimersByTime(60_000);
  setHidden(false);
  setHidden(true);
  // hls.js would drop its request, and doesn't repeat it.
  expect([opened.length, opened[1]?.isLoading]).toEqual([2, true]);
  opened[1]?.parse();
  vi.advanceTimersByTime(500);
  expect(opened[1]?.isLoading).toBe(false);
  setHidden(false);
  expect(opened[1]?.isLoading).toBe(true);
});

test('a muted picture that the browser pauses on a hidden page loads on for as long as that may be a glance elsewhere', () => {
  useTestTime();
  const video = new FakeVideo();
  openPlayer(video);
  opened[0]?.buffer(30);
  video.advance(1);
  setHidden(true);
  video.pause();
  vi.advanceTimersByTime(4_500);
  expect([opened[0]?.isLoading, opened[0]?.isDestroyed]).toEqual([true, false]);
});
