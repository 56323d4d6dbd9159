import Hls, { type ErrorData, ErrorDetails, ErrorTypes, Events, type LevelDetails } from 'hls.js';
import { trimBackBuffer } from './back-buffer.ts';
import type { PlayerSettings } from './hls-settings.ts';
import { LevelSteering } from './level-steering.ts';
import { holdLiveEdge, measureAhead } from './live-edge.ts';
import { PictureDates } from './picture-dates.ts';
import {
  type FatalCause,
  initialRecovery,
  isNews,
  type MonitorPhase,
  type RecoveryCommand,
  type RecoveryEvent,
  recover,
} from './recovery.ts';
import { forgetStalls } from './stall-allowance.ts';
import { findDate, findPosition, isInWindow, measureBehind, type Timeline } from './timeline.ts';
import { TransferWatch } from './transfer-watch.ts';

/** Interval of the playhead check, in milliseconds. */
const tickMs = 500;
/**
 * How far a low-latency player may be from its place, in seconds. Within it, the player catches up by playing faster
 * (`holdLiveEdge`).
 */
const lowLatencySlackSeconds = 1.5;
/** A picture that stops this far before the live edge, in seconds, has not run out of media. */
const leastMissedSeconds = 0.5;
/** How far to skip ahead in unplayable media at a time, in seconds. */
const skipSeconds = 0.5;

/** What the monitor shows around the picture. */
export interface PlayerView {
  phase: MonitorPhase;
  /** Height of the picture in pixels. */
  heightPixels?: number;
  /** The rendition being loaded. */
  playing?: string;
  /** The rendition the viewer chose; absent while the player chooses. */
  chosen?: string;
  /** Absent until there is something to play. */
  timeline?: Timeline;
  /** Whether the playhead should stay at the live edge: the viewer has neither rewound nor paused. */
  isFollowing: boolean;
  /**
   * The program date-time of the current frame (EXT-X-PROGRAM-DATE-TIME, rfc8216bis §4.4.4.6), and when it was read by the
   * page's clock, both epoch milliseconds. Only at live.
   */
  shown?: { dateMs: number; atMs: number };
  /** Media buffered ahead of the current frame, in milliseconds. */
  bufferMs?: number;
}

export interface PlayerOptions {
  video: HTMLVideoElement;
  /** A multivariant playlist, or one rendition's media playlist. */
  url: string;
  settings: PlayerSettings;
  /**
   * Called about ten times a second, for measurements. `isNews`: for the screen too, since something has happened or half a second
   * has passed.
   */
  onView: (view: PlayerView, isNews: boolean) => void;
  /** The picture is about to disappear: the last chance to keep it. When hls.js says that it detaches its media, it is gone. */
  onReplace: () => void;
}

/** A running monitor player. It plays whenever the stream is on air and recovers on its own. */
export interface Player {
  /** The broadcast on air, or undefined, and whether its media arrives. */
  setSession(sessionId: string | undefined, arrives: boolean): void;
  /** The names of the renditions made now. The viewer's choice plays if listed, else the nearest. */
  setOffered(names: readonly string[]): void;
  /** Plays this rendition while it is made; undefined leaves the choice to the player. */
  setQuality(name: string | undefined): void;
  /** Seeks to this many seconds behind live; a paused picture stays paused. */
  seek(behindSeconds: number): void;
  /** Resumes where it was paused. */
  play(): void;
  jumpToLive(): void;
  close(): void;
}

function findSlack({ partTarget, targetduration }: Pick<LevelDetails, 'partTarget' | 'targetduration'>): number {
  return partTarget > 0 ? lowLatencySlackSeconds : 2 * targetduration;
}

/** An event whose time is that of its arrival. */
type Untimed<Event> = Event extends unknown ? Omit<Event, 'atMs'> : never;

/** Starts the player on `video`. It owns one hls.js at a time and closes it with itself. */
export function startPlayer({ video, url, settings, onView, onReplace }: PlayerOptions): Player {
  let state = initialRecovery;
  let hls: Hls | undefined;
  let steering: LevelSteering | undefined;
  let transfers = new TransferWatch();
  let dates = new PictureDates();
  let letEdgeGo: (() => void) | undefined;
  let forgetOldStalls: (() => void) | undefined;
  let lastTimeSeconds = 0;
  /** Position of the frame on screen. While waiting for media, the playhead is ahead of it. */
  let shownSeconds: number | undefined;
  let chosen: string | undefined;
  let offered: readonly string[] | undefined;
  let isFollowing = true;
  /** The last moment shown, to which a new player returns a viewer who had rewound. */
  let lastDateMs: number | undefined;
  /** The new player has yet to do so, and the viewer has not decided otherwise. */
  let isReturning = false;
  // A pause caused by the player, when it removes the media, isn't the viewer's.
  let isReplacing = false;
  /** The browser pauses a muted picture that nobody sees, and resumes it: that isn't the viewer's pause either. */
  let isRestingHidden = false;

  const send = (event: Untimed<RecoveryEvent>) => {
    const before = state.phase;
    const step = recover(state, { ...event, atMs: performance.now() });
    state = step.state;
    for (const command of step.commands) obey(command);
    onView(view(), isNews(event.kind, before, state.phase));
  };

  const readTimeline = (): Timeline | undefined => {
    const details = hls?.latestLevelDetails;
    const liveSeconds = hls?.liveSyncPosition;
    if (details == null || liveSeconds == null || video.readyState === 0) return undefined;
    return {
      startSeconds: details.fragmentStart,
      liveSeconds,
      positionSeconds: video.currentTime,
      slackSeconds: findSlack(details),
    };
  };

  const view = (): PlayerView => {
    const timeline = readTimeline();
    const playing = hls === undefined ? undefined : steering?.names[hls.currentLevel];
    const dateMs = shownSeconds === undefined ? undefined : dates.find(shownSeconds);
    const bufferSeconds = hls?.mainForwardBufferInfo?.len;
    lastDateMs = dateMs ?? lastDateMs;
    return {
      phase: state.phase,
      isFollowing,
      ...(video.videoHeight > 0 && { heightPixels: video.videoHeight }),
      ...(playing !== undefined && { playing }),
      ...(chosen !== undefined && { chosen }),
      ...(timeline !== undefined && { timeline }),
      ...(dateMs !== undefined && isFollowing && state.phase.kind === 'playing' && { shown: { dateMs, atMs: Date.now() } }),
      ...(bufferSeconds !== undefined && { bufferMs: Math.round(bufferSeconds * 1000) }),
    };
  };

  const play = () => {
    // Refused only if the page may not play at all; the playhead check reports it.
    void video.play().catch(() => {});
  };

  const jumpToLive = () => {
    isFollowing = true;
    if (hls?.liveSyncPosition != null) video.currentTime = hls.liveSyncPosition;
    play();
    onView(view(), true);
  };

  const seek = (behindSeconds: number) => {
    const timeline = readTimeline();
    if (timeline === undefined) return;
    const positionSeconds = findPosition(timeline, behindSeconds);
    isRestingHidden = false;
    isReturning = false;
    isFollowing = measureBehind({ ...timeline, positionSeconds }) === 0 && !video.paused;
    video.currentTime = positionSeconds;
    keepPace();
    onView(view(), true);
  };

  /** Past this latency hls.js jumps to the live edge. Never while the viewer has deliberately left it. */
  const keepPace = () => {
    const details = hls?.latestLevelDetails;
    if (hls === undefined || details == null) return;
    const farthestSeconds = (hls.targetLatency ?? 3 * details.targetduration) + findSlack(details);
    hls.config.liveMaxLatencyDuration = isFollowing ? farthestSeconds : Number.POSITIVE_INFINITY;
  };

  /** A new player returns a viewer who had rewound to that moment, unless it has left the window. */
  const returnTo = (current: Hls, dateMs: number) => {
    isReturning = true;
    current.once(Events.FRAG_BUFFERED, () => {
      if (!isReturning || hls !== current) return;
      isReturning = false;
      const positionSeconds = findDate(current.latestLevelDetails?.fragments ?? [], dateMs);
      isFollowing = positionSeconds === undefined;
      if (positionSeconds !== undefined) video.currentTime = positionSeconds;
    });
  };

  /** Whether the player knows the wanted rendition. One that hasn't read the playlist yet is told later. */
  const steer = (isAtOnce = false) =>
    steering === undefined || steering.names.length === 0 || steering.steer({ chosen, offered }, performance.now(), isAtOnce);

  const open = () => {
    letEdgeGo?.();
    if (hls) onReplace();
    hls?.destroy();
    const current = new Hls(settings.hls);
    hls = current;
    steering = new LevelSteering(current);
    transfers = new TransferWatch();
    dates = new PictureDates();
    trimBackBuffer(current, video, settings.backSeconds);
    letEdgeGo = holdLiveEdge(current, video, () => isFollowing);
    forgetOldStalls = forgetStalls(current);
    lastTimeSeconds = 0;
    shownSeconds = undefined;
    current.on(Events.FRAG_BUFFERED, (_event, { frag, part }) => {
      dates.note(frag, part);
      send({ kind: 'segment' });
    });
    current.on(Events.FRAG_LOADING, (_event, { frag, part }) => transfers.begin(part ?? frag));
    current.on(Events.FRAG_LOADED, (_event, { frag, part }) => transfers.end(part ?? frag));
    current.on(Events.MANIFEST_PARSED, () => {
      steer(true);
      play();
    });
    // Also when the decoder has failed: hls.js opens another one, which is paused.
    current.on(Events.MEDIA_DETACHING, () => {
      if (hls !== current) return;
      isReplacing = true;
      setTimeout(() => {
        isReplacing = false;
      });
    });
    current.on(Events.MEDIA_ATTACHED, () => {
      if (state.phase.kind !== 'paused') play();
    });
    current.on(Events.ERROR, (_event, error) => {
      if (error.fatal && hls === current) send({ kind: 'fatal', cause: findCause(error) });
    });
    if (!isFollowing && lastDateMs !== undefined) returnTo(current, lastDateMs);
    current.attachMedia(video);
    current.loadSource(url);
  };

  const recoverMedia = () => {
    onReplace();
    hls?.recoverMediaError();
  };

  const obey = (command: RecoveryCommand) => {
    switch (command) {
      case 'open':
        return open();
      case 'stop-loading':
        isReturning = false;
        isFollowing = true;
        return hls?.stopLoad();
      case 'swap-audio-and-recover':
        hls?.swapAudioCodec();
        return recoverMedia();
      case 'recover-media':
        return recoverMedia();
      case 'jump-to-live':
        return jumpToLive();
      case 'skip-ahead':
        video.currentTime += skipSeconds;
    }
  };

  const onFrame = (_atMs: number, { mediaTime }: VideoFrameCallbackMetadata) => {
    shownSeconds = mediaTime;
    frameRequest = video.requestVideoFrameCallback(onFrame);
  };
  let frameRequest = video.requestVideoFrameCallback(onFrame);
  const onTime = () => {
    if (video.currentTime <= lastTimeSeconds || video.seeking) {
      lastTimeSeconds = Math.min(lastTimeSeconds, video.currentTime);
      return;
    }
    lastTimeSeconds = video.currentTime;
    send({ kind: 'advanced' });
  };
  const onPause = () => {
    if (isReplacing || video.ended || video.readyState === 0) return;
    isRestingHidden = document.hidden && isFollowing;
    isFollowing = isRestingHidden;
    keepPace();
    send({ kind: 'paused' });
  };
  const onPlay = () => {
    if (isRestingHidden) {
      isRestingHidden = false;
      send({ kind: 'resumed' });
      return jumpToLive();
    }
    const timeline = readTimeline();
    if (timeline !== undefined && !isReplacing) isFollowing = measureBehind(timeline) === 0;
    send({ kind: 'resumed' });
  };
  const onEnded = () => send({ kind: 'ended' });
  /**
   * Whether media arrives too slowly though more is available, and a rendition exists that may arrive faster. hls.js finds that
   * one too late or never: it reads the multivariant playlist once, and measures 100 Gbit/s for parts from this computer.
   */
  const hasLighter = () => {
    const edgeSeconds = hls?.latestLevelDetails?.edge;
    if (hls === undefined || chosen !== undefined || edgeSeconds === undefined) return false;
    const isAnyLeft = hls.loadLevel > 0 || offered?.some((name) => steering?.names.includes(name) === false);
    return isAnyLeft === true && edgeSeconds - video.currentTime > leastMissedSeconds && transfers.isSlow(performance.now());
  };
  const tick = () => {
    forgetOldStalls?.();
    keepPace();
    steer();
    const timeline = readTimeline();
    const isRewound = !isFollowing && timeline !== undefined && isInWindow(timeline);
    send({ kind: 'tick', isRewound, aheadSeconds: measureAhead(video), hasLighter: hasLighter() });
  };

  const listeners = { timeupdate: onTime, pause: onPause, play: onPlay, ended: onEnded };
  for (const [name, listener] of Object.entries(listeners)) video.addEventListener(name, listener);
  let timer: ReturnType<typeof setInterval> | undefined;

  return {
    setSession(sessionId, arrives) {
      clearInterval(timer);
      // Off air there is nothing to check.
      timer = sessionId === undefined ? undefined : setInterval(tick, tickMs);
      send({ kind: 'air', sessionId, arrives });
    },
    setOffered(names) {
      offered = names;
      if (!steer() && state.phase.kind !== 'paused') send({ kind: 'outdated' });
    },
    setQuality(name) {
      chosen = name;
      if (steer(true)) onView(view(), true);
      else send({ kind: 'outdated' });
    },
    seek,
    play,
    jumpToLive() {
      isReturning = false;
      jumpToLive();
    },
    close() {
      clearInterval(timer);
      video.cancelVideoFrameCallback(frameRequest);
      for (const [name, listener] of Object.entries(listeners)) video.removeEventListener(name, listener);
      letEdgeGo?.();
      const last = hls;
      hls = undefined;
      last?.destroy();
    },
  };
}

function findCause({ type, details }: ErrorData): FatalCause {
  if (details === ErrorDetails.MANIFEST_INCOMPATIBLE_CODECS_ERROR) return 'codecs';
  if (type === ErrorTypes.NETWORK_ERROR) return 'network';
  return type === ErrorTypes.MEDIA_ERROR ? 'media' : 'other';
}
