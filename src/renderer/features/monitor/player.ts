import type { PlayerSettings } from './hls-settings.ts';
import { measureAhead } from './live-edge.ts';
import { OpenHls } from './open-hls.ts';
import { initialRecovery, isNews, type MonitorPhase, type RecoveryCommand, type RecoveryEvent, recover } from './recovery.ts';
import { findPosition, isInWindow, type Timeline } from './timeline.ts';
import { ViewerPlace } from './viewer-place.ts';

/** Interval of the playhead check, in milliseconds. */
const tickMs = 500;
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
  /** The names of the renditions that this browser can't decode; absent without any, and while that is unknown. */
  undecodable?: readonly string[];
  /** Absent until there is something to play. */
  timeline?: Timeline;
  /** Whether the current player has shown a frame or, if it is sound only, has played: nothing kept from before is needed. */
  hasShown?: true;
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

/** An event whose time is that of its arrival. */
type Untimed<Event> = Event extends unknown ? Omit<Event, 'atMs'> : never;

/** Starts the player on `video`. It owns one hls.js at a time and closes it with itself. */
export function startPlayer({ video, url, settings, onView, onReplace }: PlayerOptions): Player {
  const place = new ViewerPlace();
  let state = initialRecovery;
  let running: OpenHls | undefined;
  let chosen: string | undefined;
  let offered: readonly string[] | undefined;
  // Of this broadcast. Stays until a new player knows better.
  let undecodable: readonly string[] = [];
  // A pause caused by the player, when it removes the media, isn't the viewer's.
  let isReplacing = false;

  const send = (event: Untimed<RecoveryEvent>) => {
    const before = state.phase;
    const step = recover(state, { ...event, atMs: performance.now() });
    state = step.state;
    for (const command of step.commands) obey(command);
    onView(view(), isNews(event.kind, before, state.phase));
  };

  const view = (): PlayerView => {
    const { isFollowing } = place;
    const { timeline, playing, shownDateMs: dateMs } = running ?? {};
    const bufferSeconds = running?.hls.mainForwardBufferInfo?.len;
    place.noteShown(dateMs);
    undecodable = running?.undecodable ?? undecodable;
    return {
      phase: state.phase,
      isFollowing,
      ...(running?.hasShown === true && { hasShown: true as const }),
      ...(video.videoHeight > 0 && { heightPixels: video.videoHeight }),
      ...(playing !== undefined && { playing }),
      ...(chosen !== undefined && { chosen }),
      ...(undecodable.length > 0 && { undecodable }),
      ...(timeline !== undefined && { timeline }),
      ...(dateMs !== undefined && isFollowing && state.phase.kind === 'playing' && { shown: { dateMs, atMs: Date.now() } }),
      ...(bufferSeconds !== undefined && { bufferMs: Math.round(bufferSeconds * 1000) }),
    };
  };

  const play = () => {
    void video.play().catch(onUnplayed);
  };

  /** Any error but a refusal means that the picture was paused or replaced meanwhile. */
  const onUnplayed = (error: unknown) => {
    const isRefused = error instanceof DOMException && error.name === 'NotAllowedError';
    if (!isRefused || !video.paused || running === undefined) return;
    place.refuse();
    keepPace();
    send({ kind: 'refused' });
  };

  const jumpToLive = () => {
    place.follow();
    if (running?.hls.liveSyncPosition != null) video.currentTime = running.hls.liveSyncPosition;
    play();
    onView(view(), true);
  };

  const seek = (behindSeconds: number) => {
    const timeline = running?.timeline;
    if (timeline === undefined) return;
    const positionSeconds = findPosition(timeline, behindSeconds);
    place.seek({ ...timeline, positionSeconds }, video.paused);
    video.currentTime = positionSeconds;
    keepPace();
    onView(view(), true);
  };

  const keepPace = () => running?.keepPace(place.isFollowing);

  /** Whether the player knows the wanted rendition, or will be told it later. */
  const steer = (isAtOnce = false) => running?.steer({ chosen, offered }, isAtOnce) ?? true;

  const closeRunning = () => {
    if (running) onReplace();
    running?.close();
    running = undefined;
  };

  const open = () => {
    closeRunning();
    const current = new OpenHls({
      video,
      settings,
      isFollowing: () => place.isFollowing,
      onManifest() {
        steer(true);
        onView(view(), true);
        play();
      },
      onAttached() {
        if (state.phase.kind !== 'paused') play();
      },
      onDetaching() {
        if (running !== current) return;
        isReplacing = true;
        setTimeout(() => {
          isReplacing = false;
        });
      },
      onMedia() {
        send({ kind: 'segment' });
        if (running !== current) return;
        const positionSeconds = place.endReturn(current.hls.latestLevelDetails?.fragments ?? []);
        if (positionSeconds !== undefined) video.currentTime = positionSeconds;
      },
      onFatal(cause) {
        if (running === current) send({ kind: 'fatal', cause });
      },
    });
    running = current;
    place.beginReturn();
    current.load(url);
  };

  const recoverMedia = () => {
    onReplace();
    running?.hls.recoverMediaError();
  };

  const obey = (command: RecoveryCommand) => {
    switch (command) {
      case 'open':
        return open();
      case 'close':
        place.goLive();
        return closeRunning();
      case 'swap-audio-and-recover':
        running?.hls.swapAudioCodec();
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
    if (running?.noteShown(mediaTime) === true) onView(view(), true);
    frameRequest = video.requestVideoFrameCallback(onFrame);
  };
  let frameRequest = video.requestVideoFrameCallback(onFrame);
  const onTime = () => {
    if (running?.advance() === true) send({ kind: 'advanced' });
  };
  const onPause = () => {
    if (isReplacing || video.ended || video.readyState === 0) return;
    place.pause(document.hidden);
    keepPace();
    send({ kind: 'paused' });
  };
  const onPlay = () => {
    const mustGoLive = place.resume(isReplacing ? undefined : running?.timeline, measureAhead(video));
    send({ kind: 'resumed' });
    if (mustGoLive) jumpToLive();
  };
  const onEnded = () => send({ kind: 'ended' });
  const tick = () => {
    running?.forgetOldStalls();
    const timeline = running?.timeline;
    if (timeline !== undefined && state.phase.kind === 'playing') place.notePlaying(timeline);
    keepPace();
    steer();
    const isRewound = !place.isFollowing && timeline !== undefined && isInWindow(timeline);
    const hasLighter = running?.hasLighter({ chosen, offered }) === true;
    send({ kind: 'tick', isRewound, aheadSeconds: measureAhead(video), hasLighter });
  };

  const listeners = { timeupdate: onTime, pause: onPause, play: onPlay, ended: onEnded };
  for (const [name, listener] of Object.entries(listeners)) video.addEventListener(name, listener);
  let timer: ReturnType<typeof setInterval> | undefined;

  return {
    setSession(sessionId, arrives) {
      clearInterval(timer);
      if (sessionId !== state.sessionId) undecodable = [];
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
      place.goLive();
      jumpToLive();
    },
    close() {
      clearInterval(timer);
      video.cancelVideoFrameCallback(frameRequest);
      for (const [name, listener] of Object.entries(listeners)) video.removeEventListener(name, listener);
      const last = running;
      running = undefined;
      last?.close();
    },
  };
}
