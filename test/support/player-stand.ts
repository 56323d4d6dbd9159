import { expect, onTestFinished, vi } from 'vitest';
import type { PlayerSettings } from '../../src/renderer/features/monitor/hls-settings.ts';
import type { PlayerView } from '../../src/renderer/features/monitor/player-view.ts';

const { Events } = await vi.importActual<typeof import('hls.js')>('hls.js');
/** The instances of hls.js that this test's players have opened, in order. */
export const opened: FakeHls[] = [];

const segmentSeconds = 2;
/** The window is a minute long, with a date every two seconds. */
const segments = Array.from({ length: 30 }, (_, sn) => ({
  sn,
  start: sn * segmentSeconds,
  duration: segmentSeconds,
  programDateTime: sn * segmentSeconds * 1000,
  elementaryStreams: { video: { startPTS: sn * segmentSeconds } },
}));
/** The live edge that a player first sees, in seconds. */
export const liveSeconds = 58;

const urlOf = (name: string) => `http://127.0.0.1/hls/show/${name}/index.m3u8`;

type Listener = (name: string, data: object) => void;

/** What the player reads of hls.js, which has loaded nothing until {@link FakeHls.buffer}. */
class FakeHls {
  static readonly Events = Events;
  readonly config: { liveMaxLatencyDuration?: number } = {};
  levels: { url: string[]; attrs: { CODECS: string }; loadError: number }[] = [];
  readonly manualLevel = -1;
  readonly loadLevel = 0;
  readonly currentLevel = 0;
  readonly targetLatency = 1;
  liveSyncPosition: number | null = null;
  latestLevelDetails: object | null = null;

  isDestroyed = false;
  isLoading = true;

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
  stopLoad() {
    this.isLoading = false;
  }
  startLoad() {
    this.isLoading = true;
  }
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

  /** It reads a media playlist that ends at this second. Returns from how far behind that end it now jumps to live, in seconds. */
  reload(edgeSeconds: number) {
    this.#emit(Events.LEVEL_UPDATED, { details: { ...this.latestLevelDetails, edge: edgeSeconds } });
    return this.config.liveMaxLatencyDuration;
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

/** A video element that plays, on a page that is visible until {@link setHidden}. */
export class FakeVideo extends EventTarget {
  readonly readyState = 4;
  readonly buffered = { length: 0 };
  seeking = false;
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

const page = Object.assign(new EventTarget(), { hidden: false });
vi.doMock('hls.js', async (load) => ({ ...(await load<object>()), default: FakeHls }));
const { Player } = await import('../../src/renderer/features/monitor/player.ts');

/** A player of a stream on air, closed when the test ends. */
export function openPlayer(video: FakeVideo) {
  vi.stubGlobal('document', page);
  const views: PlayerView[] = [];
  const onReplace = vi.fn(() => expect(opened.at(-1)?.isDestroyed, 'its picture can still be kept').toBe(false));
  const player = new Player({
    video: video as unknown as HTMLVideoElement,
    url: 'http://127.0.0.1/hls/show/index.m3u8',
    settings: { hls: {}, backSeconds: 10 } as PlayerSettings,
    onView: (view) => views.push(view),
    onReplace,
  });
  onTestFinished(() => {
    player.close();
    opened.splice(0);
  });
  player.setSession('one', true);
  return { player, views, onReplace };
}

/** A player whose viewer has rewound to second 4 of the window, and watches on from there. */
export function watchRewound() {
  const video = new FakeVideo();
  const { player, views } = openPlayer(video);
  opened[0]?.buffer(4);
  player.seek(54);
  video.advance(5);
  expect(views.at(-1)).toMatchObject({ phase: { kind: 'playing' }, isFollowing: false });
  return { video, player, views };
}

/** Hides the page of every player, or shows it again. */
export function setHidden(isHidden: boolean) {
  page.hidden = isHidden;
  page.dispatchEvent(new Event('visibilitychange'));
}
