import { beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { soon } from '../../../../test/support/soon.ts';
import type { PlayerSettings } from './hls-settings.ts';
import type { PlayerView } from './player-view.ts';

const { Events } = await vi.importActual<typeof import('hls.js')>('hls.js');
const opened: FakeHls[] = [];
beforeEach(() => void opened.splice(0));

const segmentSeconds = 2;
/** The window is a minute long, with a date every two seconds. */
const segments = Array.from({ length: 30 }, (_, sn) => ({
  sn,
  start: sn * segmentSeconds,
  duration: segmentSeconds,
  programDateTime: sn * segmentSeconds * 1000,
  elementaryStreams: { video: { startPTS: sn * segmentSeconds } },
}));
const liveSeconds = 58;

const urlOf = (name: string) => `http://127.0.0.1/hls/show/${name}/index.m3u8`;

type Listener = (name: string, data: object) => void;

/** What the player reads of hls.js, which has loaded nothing until {@link FakeHls.buffer}. */
class FakeHls {
  static readonly Events = Events;
  readonly config = {};
  levels: { url: string[]; attrs: { CODECS: string }; loadError: number }[] = [];
  readonly manualLevel = -1;
  readonly loadLevel = 0;
  readonly currentLevel = 0;
  liveSyncPosition: number | null = null;
  latestLevelDetails: object | null = null;

  isDestroyed = false;

  #listeners: { name: string; listener: Listener }[] = [];

  constructor() {
    opened.push(this);
  }

  on(name: string, listener: Listener) {
    this.#listeners.push({ name, listener });
  }
  once(name: string, listener: Listener) {
    const once: Listener = (...event) => {
      this.#listeners = this.#listeners.filter((other) => other.listener !== once);
      listener(...event);
    };
    this.on(name, once);
  }
  attachMedia() {}
  loadSource() {}
  destroy() {
    this.isDestroyed = true;
  }

  /** It reads the multivariant playlist, and can't decode the source. */
  parse() {
    const attrs = { CODECS: 'avc1.42c00d' };
    const source = { url: urlOf('source'), attrs: { CODECS: 'hvc1.1.6.L60.90' } };
    this.levels = [{ url: [urlOf('low')], attrs, loadError: 0 }];
    this.#emit(Events.MANIFEST_LOADED, { levels: [source, { url: urlOf('low'), attrs }] });
    this.#emit(Events.MANIFEST_PARSED, {});
  }

  /** The media at this second arrives. */
  buffer(seconds: number) {
    if (this.levels.length === 0) this.parse();
    this.liveSyncPosition = liveSeconds;
    this.latestLevelDetails = { fragmentStart: 0, partTarget: 1, targetduration: segmentSeconds, fragments: segments };
    const frag = segments[Math.floor(seconds / segmentSeconds)];
    this.#emit(Events.FRAG_BUFFERED, { frag, part: null });
  }

  /** The window moves on by this many seconds; what was buffered stays. */
  slide(seconds: number) {
    this.liveSyncPosition = liveSeconds + seconds;
    this.latestLevelDetails = { ...this.latestLevelDetails, fragmentStart: seconds };
  }

  /** It reads a media playlist whose newest segments come after so many discontinuities. */
  update(discontinuities: number, newestAfter = discontinuities) {
    const counts = [discontinuities, newestAfter];
    const details = { fragments: counts.map((cc) => ({ cc })) };
    this.latestLevelDetails = details;
    this.#emit(Events.LEVEL_UPDATED, { details });
  }

  /** It is about to remove its media from the video. */
  detach() {
    this.#emit(Events.MEDIA_DETACHING, {});
  }

  /** It is ready to feed the video. */
  attach() {
    this.#emit(Events.MEDIA_ATTACHED, {});
  }

  #emit(name: string, data: object) {
    for (const { listener } of this.#listeners.filter((other) => other.name === name)) listener(name, data);
  }
}

class FakeVideo extends EventTarget {
  readonly readyState = 4;
  readonly buffered = { length: 0 };
  readonly seeking = false;
  videoHeight = 180;
  muted = true;
  paused = false;
  currentTime = 0;
  pause() {
    this.paused = true;
    this.dispatchEvent(new Event('pause'));
  }
  show = (_atMs: number, _frame: { mediaTime: number }) => {};

  /** The playhead moves on to this second. */
  advance(toSeconds: number) {
    this.currentTime = toSeconds;
    this.dispatchEvent(new Event('timeupdate'));
  }

  async play() {
    if (!this.paused) return;
    this.paused = false;
    this.dispatchEvent(new Event('play'));
  }
  requestVideoFrameCallback(show: FakeVideo['show']) {
    this.show = show;
    return 1;
  }
  cancelVideoFrameCallback() {}
}

/** One whose browser lets nothing play before a gesture (HTML §4.8.11.8, "allowed to play"). */
class QuietVideo extends FakeVideo {
  isLet = false;
  override paused = true;

  override async play() {
    if (!this.isLet) throw new DOMException('The request is not allowed.', 'NotAllowedError');
    await super.play();
  }
}

const page = Object.assign(new EventTarget(), { hidden: false });
vi.stubGlobal('document', page);
vi.doMock('hls.js', async (load) => ({ ...(await load<object>()), default: FakeHls }));
const { Player } = await import('./player.ts');

function openPlayer(video: FakeVideo) {
  const views: PlayerView[] = [];
  const onReplace = vi.fn(() => expect(opened.at(-1)?.isDestroyed, 'its picture can still be kept').toBe(false));
  const player = new Player({
    video: video as unknown as HTMLVideoElement,
    url: 'http://127.0.0.1/hls/show/index.m3u8',
    settings: { hls: {}, backSeconds: 10 } as PlayerSettings,
    onView: (view) => views.push(view),
    onReplace,
  });
  onTestFinished(() => player.close());
  player.setSession('one', true);
  return { player, views, onReplace };
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

/** A player whose viewer has rewound to second 4 of the window, and watches on from there. */
function watchRewound() {
  const video = new FakeVideo();
  const { player, views } = openPlayer(video);
  opened[0]?.buffer(4);
  player.seek(54);
  video.advance(5);
  expect(views.at(-1)).toMatchObject({ phase: { kind: 'playing' }, isFollowing: false });
  return { video, player, views };
}

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

function setHidden(isHidden: boolean) {
  page.hidden = isHidden;
  page.dispatchEvent(new Event('visibilitychange'));
}

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
  expect(views.at(-1)).toEqual({ phase: unwatched, isFollowing: true, heightPixels: video.videoHeight, undecodable: ['source'] });
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
