import { expect, onTestFinished, test, vi } from 'vitest';
import { FakeVideo, liveSeconds, opened, openPlayer, watchRewound } from '../../../../test/support/player-stand.ts';
import { soon } from '../../../../test/support/soon.ts';

/** One whose browser lets nothing play before a gesture (HTML §4.8.11.8, "allowed to play"). */
class QuietVideo extends FakeVideo {
  isLet = false;
  override paused = true;

  override async play() {
    if (!this.isLet) throw new DOMException('The request is not allowed.', 'NotAllowedError');
    await super.play();
  }
}

/** A viewer has rewound to second 31, and the player opens another one, which has nothing yet. */
function reopenRewound() {
  const video = new FakeVideo();
  const { player, views } = openPlayer(video);
  opened[0]?.buffer(30);
  player.seek(27);
  video.show(0, { mediaTime: 31 });
  opened[0]?.buffer(30);
  expect([video.currentTime, views.at(-1)?.isFollowing]).toEqual([31, false]);
  // It doesn't know this rendition: only another one does.
  player.setQuality('new');
  const next = opened[1];
  video.currentTime = 0;
  return {
    player,
    /** The picture's position once the new player has media, and whether it follows the live edge. */
    settle() {
      next?.buffer(liveSeconds);
      // Only the next media shows the effect of the first.
      next?.buffer(liveSeconds);
      return [video.currentTime, views.at(-1)?.isFollowing];
    },
  };
}

test('a new player returns a viewer who had rewound to the same moment', () => {
  const { settle } = reopenRewound();
  expect(settle()).toEqual([31, false]);
});

test('Back to live while a new player opens stays', () => {
  const { player, settle } = reopenRewound();
  player.jumpToLive();
  expect(settle()).toEqual([0, true]);
});

test('a player that is late jumps to live, but not before its picture has arrived where it was going', () => {
  const video = new FakeVideo();
  openPlayer(video);
  const never = Number.POSITIVE_INFINITY;
  const [hls] = opened;
  hls?.buffer(30);
  expect(hls?.reload(33), 'before the first picture').toBe(never);
  video.advance(30);
  expect(hls?.reload(33)).toBe(2.5);
  video.currentTime = 32;
  video.seeking = true;
  expect(hls?.reload(36), 'on its way').toBe(never);
  video.seeking = false;
  video.advance(32);
  expect(hls?.reload(36)).toBe(2.5);
  hls?.detach();
  expect(hls?.reload(36), 'with new media').toBe(never);
});

test('a player whose viewer has rewound never jumps to live', () => {
  const { player } = watchRewound();
  expect(opened[0]?.reload(60)).toBe(Number.POSITIVE_INFINITY);
  player.jumpToLive();
  expect(opened[0]?.reload(60)).toBe(2.5);
});

test('where the browser starts nothing by itself, the picture counts as paused, and goes to live when Play is pressed', async () => {
  const video = new QuietVideo();
  const { player, views } = openPlayer(video);
  opened[0]?.attach();
  await soon(() => expect(views.at(-1)?.phase).toEqual({ kind: 'paused', isRefused: true }));
  opened[0]?.buffer(30);
  // hls.js seeks to where it wants to start.
  video.advance(30);
  expect(views.at(-1)).toMatchObject({ phase: { kind: 'paused', isRefused: true }, isFollowing: false });
  video.isLet = true;
  player.play();
  expect(views.at(-1)).toMatchObject({ phase: { kind: 'playing' }, isFollowing: true });
  expect(video.currentTime).toBe(liveSeconds);
});

test('when the broadcast ends, its player closes, whose sound nobody could mute any more, and its last picture is kept', () => {
  const video = new FakeVideo();
  const { player, views, onReplace } = openPlayer(video);
  opened[0]?.buffer(30);
  player.seek(27);
  player.setSession(undefined, false);
  expect([opened[0]?.isDestroyed, onReplace.mock.calls.length]).toEqual([true, 1]);
  expect(views.at(-1)).toEqual({ phase: { kind: 'idle' }, isFollowing: true, heightPixels: video.videoHeight });
  player.setSession('two', true);
  expect([opened.length, onReplace.mock.calls.length]).toEqual([2, 1]);
});

test.each([
  { of: 'a frame', showIt: (video: FakeVideo) => video.show(0, { mediaTime: 31 }) },
  {
    of: 'that it plays, though without video',
    showIt(video: FakeVideo) {
      video.videoHeight = 0;
      video.advance(31);
    },
  },
])("the picture kept from the last broadcast isn't needed once the player of the next one shows $of", ({ showIt }) => {
  const video = new FakeVideo();
  const { player, views } = openPlayer(video);
  video.show(0, { mediaTime: 30 });
  expect(views.at(-1)?.hasShown).toBe(true);
  player.setSession(undefined, false);
  player.setSession('two', true);
  expect(views.at(-1)?.hasShown).toBeUndefined();
  showIt(video);
  expect(views.at(-1)?.hasShown).toBe(true);
});

test('a player whose media was removed has shown nothing until its next frame', () => {
  const video = new FakeVideo();
  const { views } = openPlayer(video);
  video.show(0, { mediaTime: 30 });
  opened[0]?.detach();
  video.advance(31);
  expect(views.at(-1)?.hasShown).toBeUndefined();
});

test('a picture paused until nothing of it is left in the window plays on at live, and follows it', () => {
  const { video, player, views } = watchRewound();
  video.pause();
  opened[0]?.slide(60);
  player.play();
  expect([video.currentTime, views.at(-1)?.isFollowing]).toEqual([liveSeconds + 60, true]);
});

test('a rewound picture that hls.js takes to live, since it has left the window, follows it', () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  onTestFinished(() => void vi.useRealTimers());
  const { video, views } = watchRewound();
  opened[0]?.slide(60);
  vi.advanceTimersByTime(500);
  expect(views.at(-1)?.isFollowing).toBe(false);
  video.currentTime = liveSeconds + 60;
  vi.advanceTimersByTime(500);
  expect(views.at(-1)?.isFollowing).toBe(true);
});

test('a rendition that the browser cannot decode needs no new player, which could not play it either, and is named', () => {
  const { player, views } = openPlayer(new FakeVideo());
  opened[0]?.parse();
  player.setQuality('source');
  player.setOffered(['source', 'low']);
  player.setOffered(['source', 'low', 'lower']);
  player.setOffered(['source', 'low']);
  expect(views.at(-1)).toMatchObject({ chosen: 'source', undecodable: ['source'] });
  expect(opened.length).toBe(1);
});

test('once the format may have changed, a new player finds out whether it still cannot be decoded', () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  onTestFinished(() => void vi.useRealTimers());
  openPlayer(new FakeVideo());
  opened[0]?.parse();
  const playersAfter = [
    [3, 3],
    [3, 4],
    [4, 4],
  ].map(([before, newest]) => {
    opened[0]?.update(before ?? 0, newest);
    vi.advanceTimersByTime(500);
    return opened.length;
  });
  // The multivariant playlist tells of a format once a segment of it is whole.
  expect(playersAfter).toEqual([1, 1, 2]);
});

test('while a new player has yet to read the playlist, what cannot be decoded of the same broadcast stays known', () => {
  const { player, views } = openPlayer(new FakeVideo());
  opened[0]?.parse();
  player.setQuality('new');
  expect([opened.length, views.at(-1)?.undecodable]).toEqual([2, ['source']]);
  player.setSession('two', true);
  expect([opened.length, views.at(-1)?.undecodable]).toEqual([3, undefined]);
});
