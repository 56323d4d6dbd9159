import Hls, { ErrorTypes, Events } from 'hls.js';
import { hlsSettings } from './hls-settings.ts';
import { initialRecovery, type MonitorPhase, type RecoveryCommand, type RecoveryEvent, recover } from './recovery.ts';

/** How often the watch over the playhead looks, in milliseconds. */
const tickMs = 500;

/** What the monitor shows around the picture. */
export interface PlayerView {
  phase: MonitorPhase;
  /** Height of the picture in pixels, and whether the player chose among several. */
  heightPixels?: number;
  isAdaptive: boolean;
  /** When the picture that shows now was ingested, epoch milliseconds (EXT-X-PROGRAM-DATE-TIME, rfc8216bis §4.4.4.6). */
  ingestedAtMs?: number;
  /** Farther behind the live edge than the player keeps by itself. */
  isBehind: boolean;
}

export interface PlayerOptions {
  video: HTMLVideoElement;
  url: string;
  onView: (view: PlayerView) => void;
  /** The picture is about to be lost: a last chance to keep it. */
  onReplace: () => void;
}

/** A running monitor player: it plays whenever the stream is on air and mends itself. */
export interface Player {
  /** The broadcast on air, or undefined. */
  setSession(sessionId: string | undefined): void;
  jumpToLive(): void;
  close(): void;
}

/** The viewer counts as behind past this distance from where the player would be, in seconds. */
const behindSeconds = 3;

/** Starts the player on `video`. It owns one hls.js at a time, and closes it with itself. */
export function startPlayer({ video, url, onView, onReplace }: PlayerOptions): Player {
  let state = initialRecovery;
  let hls: Hls | undefined;
  let lastTimeSeconds = 0;
  // What the player itself pauses, by taking the media away, is not the viewer's wish.
  let isReplacing = false;

  const send = (event: { kind: RecoveryEvent['kind'] } & Record<string, unknown>) => {
    const step = recover(state, { ...event, atMs: performance.now() } as RecoveryEvent);
    state = step.state;
    for (const command of step.commands) obey(command);
    onView(view());
  };

  const view = (): PlayerView => {
    const level = hls?.levels[hls.currentLevel];
    const ingestedAtMs = hls?.playingDate?.getTime();
    const height = level?.height || video.videoHeight;
    return {
      phase: state.phase,
      isAdaptive: (hls?.levels.length ?? 0) > 1,
      isBehind: hls?.liveSyncPosition != null && hls.liveSyncPosition - video.currentTime > behindSeconds,
      ...(height > 0 && { heightPixels: height }),
      ...(ingestedAtMs !== undefined && state.phase.kind === 'playing' && { ingestedAtMs }),
    };
  };

  const play = () => {
    // Refused only where a page may not play at all; the watch says so then.
    void video.play().catch(() => {});
  };

  const jumpToLive = () => {
    if (hls?.liveSyncPosition != null) video.currentTime = hls.liveSyncPosition;
    play();
  };

  const open = () => {
    isReplacing = true;
    onReplace();
    hls?.destroy();
    const current = new Hls(hlsSettings);
    hls = current;
    lastTimeSeconds = 0;
    current.on(Events.FRAG_BUFFERED, () => send({ kind: 'segment' }));
    current.on(Events.MANIFEST_PARSED, play);
    current.on(Events.ERROR, (_event, { fatal, type }) => {
      if (!fatal || hls !== current) return;
      const cause = type === ErrorTypes.NETWORK_ERROR ? 'network' : type === ErrorTypes.MEDIA_ERROR ? 'media' : 'other';
      send({ kind: 'fatal', cause });
    });
    current.attachMedia(video);
    current.loadSource(url);
    setTimeout(() => {
      isReplacing = false;
    });
  };

  const obey = (command: RecoveryCommand) => {
    switch (command) {
      case 'open':
        return open();
      case 'stop-loading':
        return hls?.stopLoad();
      case 'recover-media':
        return hls?.recoverMediaError();
      case 'swap-audio-and-recover':
        hls?.swapAudioCodec();
        return hls?.recoverMediaError();
      case 'jump-to-live':
        return jumpToLive();
    }
  };

  const onTime = () => {
    if (video.currentTime <= lastTimeSeconds || video.seeking) {
      lastTimeSeconds = Math.min(lastTimeSeconds, video.currentTime);
      return;
    }
    lastTimeSeconds = video.currentTime;
    send({ kind: 'advanced' });
  };
  const onPause = () => {
    if (!isReplacing && !video.ended && video.readyState > 0) send({ kind: 'paused' });
  };
  const onPlay = () => send({ kind: 'resumed' });
  const onEnded = () => send({ kind: 'ended' });

  const listeners = { timeupdate: onTime, pause: onPause, play: onPlay, ended: onEnded };
  for (const [name, listener] of Object.entries(listeners)) video.addEventListener(name, listener);
  const timer = setInterval(() => send({ kind: 'tick' }), tickMs);

  return {
    setSession: (sessionId) => send({ kind: 'air', sessionId }),
    jumpToLive,
    close() {
      clearInterval(timer);
      for (const [name, listener] of Object.entries(listeners)) video.removeEventListener(name, listener);
      hls?.destroy();
      hls = undefined;
    },
  };
}
