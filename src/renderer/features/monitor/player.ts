import type { PlayerSettings } from './hls-settings.ts';
import type { PlayedWish } from './level-steering.ts';
import { measureAhead } from './live-edge.ts';
import { OpenHls } from './open-hls.ts';
import type { PlayerView } from './player-view.ts';
import { initialRecovery, isNews, type RecoveryCommand, type RecoveryEvent, recover } from './recovery.ts';
import { findPosition, isInWindow } from './timeline.ts';
import { ViewerPosition } from './viewer-position.ts';
import { watchAudience } from './watch-audience.ts';
import { watchVideo } from './watch-video.ts';

/** Interval of the playhead check, in milliseconds. */
const tickMs = 500;
/** How far to skip ahead in unplayable media at a time, in seconds. */
const skipSeconds = 0.5;

export interface PlayerOptions {
  video: HTMLVideoElement;
  /** A multivariant playlist, or one rendition's media playlist. */
  url: string;
  settings: PlayerSettings;
  /**
   * Called about ten times a second, for measurements. `isNews`: the screen should show this view, since something has happened or half a
   * second has passed.
   */
  onView: (view: PlayerView, isNews: boolean) => void;
  /** The picture is about to disappear: the last chance to keep it. Once hls.js reports that it detaches its media, the picture is gone. */
  onReplace: () => void;
}

/** An event without its time, which is the time of arrival. */
type Untimed<Event> = Event extends unknown ? Omit<Event, 'atMs'> : never;

/**
 * A monitor player on a video element. It plays whenever the stream is on air and somebody can see or hear it, and recovers on its own. It
 * owns one hls.js at a time, and closing the player closes it. Single use.
 */
export class Player {
  readonly #options: PlayerOptions;
  readonly #video: HTMLVideoElement;
  readonly #position = new ViewerPosition();
  readonly #stopWatching: readonly (() => void)[];
  #state = initialRecovery;
  #running: OpenHls | undefined;
  #chosen: string | undefined;
  #offered: readonly string[] | undefined;
  /** The renditions of this broadcast that can't be decoded, until a new hls.js knows better. */
  #undecodable: readonly string[] = [];
  /** While set, a pause comes from the player, which removes the media, not from the viewer. */
  #isReplacing = false;
  #timer: ReturnType<typeof setInterval> | undefined;

  constructor(options: PlayerOptions) {
    this.#options = options;
    this.#video = options.video;
    this.#stopWatching = [
      watchVideo(options.video, {
        onFrame: (seconds) => this.#onFrame(seconds),
        onTime: () => this.#onTime(),
        onPause: () => this.#onPause(),
        onPlay: () => this.#onPlay(),
        onEnded: () => this.#send({ kind: 'ended' }),
      }),
      watchAudience(options.video, (isWatched) => this.#send({ kind: 'watched', isWatched })),
    ];
  }

  /** The broadcast on air, or undefined, and whether its media arrives. */
  setSession(sessionId: string | undefined, arrives: boolean): void {
    clearInterval(this.#timer);
    if (sessionId !== this.#state.sessionId) this.#undecodable = [];
    // Off air there is nothing to check.
    this.#timer = sessionId === undefined ? undefined : setInterval(() => this.#tick(), tickMs);
    this.#send({ kind: 'air', sessionId, arrives });
  }

  /** The names of the renditions made now. The viewer's choice plays if listed, else the nearest. */
  setOffered(names: readonly string[]): void {
    this.#offered = names;
    if (!this.#steer() && this.#state.phase.kind !== 'paused') this.#send({ kind: 'outdated' });
  }

  /** Plays this rendition while it is made; undefined leaves the choice to the player. */
  setQuality(name: string | undefined): void {
    this.#chosen = name;
    if (this.#steer(true)) this.#show();
    else this.#send({ kind: 'outdated' });
  }

  /** Seeks to this many seconds behind live; a paused picture stays paused. */
  seek(behindSeconds: number): void {
    const timeline = this.#running?.timeline;
    if (timeline === undefined) return;
    const positionSeconds = findPosition(timeline, behindSeconds);
    this.#position.seek({ ...timeline, positionSeconds }, this.#video.paused);
    this.#video.currentTime = positionSeconds;
    this.#show();
  }

  /** Resumes where it was paused. */
  play(): void {
    void this.#video.play().catch((error: unknown) => this.#onUnplayed(error));
  }

  jumpToLive(): void {
    this.#position.goLive();
    this.#jumpToLive();
  }

  close(): void {
    clearInterval(this.#timer);
    for (const stop of this.#stopWatching) stop();
    const last = this.#running;
    this.#running = undefined;
    last?.close();
  }

  #send(event: Untimed<RecoveryEvent>): void {
    const before = this.#state.phase;
    const step = recover(this.#state, { ...event, atMs: performance.now() });
    this.#state = step.state;
    for (const command of step.commands) this.#obey(command);
    this.#restIfUnseen();
    this.#options.onView(this.#view(), isNews(event.kind, before, this.#state.phase));
  }

  #obey(command: RecoveryCommand): void {
    switch (command) {
      case 'open':
        this.#open();
        break;
      case 'close':
        this.#position.goLive();
        this.#closeRunning();
        break;
      case 'close-for-now':
        this.#closeRunning();
        break;
      case 'swap-audio-and-recover':
        this.#running?.hls.swapAudioCodec();
        this.#recoverMedia();
        break;
      case 'recover-media':
        this.#recoverMedia();
        break;
      case 'jump-to-live':
        this.#jumpToLive();
        break;
      case 'skip-ahead':
        this.#video.currentTime += skipSeconds;
    }
  }

  /** A picture that its viewer has paused needs no media while its page is hidden. Media keys can resume it there, so its player stays. */
  #restIfUnseen(): void {
    const { phase } = this.#state;
    this.#running?.rest(document.hidden && phase.kind === 'paused' && phase.isByBrowser === undefined);
  }

  /** Shows the view on the screen at once. */
  #show(): void {
    this.#options.onView(this.#view(), true);
  }

  #view(): PlayerView {
    const { isFollowing } = this.#position;
    const { phase } = this.#state;
    const running = this.#running;
    const { timeline, playing, shownDateMs: dateMs } = running ?? {};
    const bufferSeconds = running?.hls.mainForwardBufferInfo?.len;
    this.#position.noteShown(dateMs);
    this.#undecodable = running?.undecodable ?? this.#undecodable;
    return {
      phase,
      isFollowing,
      ...(running?.hasShown === true && { hasShown: true as const }),
      ...(this.#video.videoHeight > 0 && { heightPixels: this.#video.videoHeight }),
      ...(playing !== undefined && { playing }),
      ...(this.#chosen !== undefined && { chosen: this.#chosen }),
      ...(this.#undecodable.length > 0 && { undecodable: this.#undecodable }),
      ...(timeline !== undefined && { timeline }),
      ...(dateMs !== undefined && isFollowing && phase.kind === 'playing' && { shown: { dateMs, atMs: Date.now() } }),
      ...(bufferSeconds !== undefined && { bufferMs: Math.round(bufferSeconds * 1000) }),
    };
  }

  #open(): void {
    const { video, settings, url } = this.#options;
    this.#closeRunning();
    const current = new OpenHls({
      video,
      settings,
      isFollowing: () => this.#position.isFollowing,
      onManifest: () => {
        this.#steer(true);
        this.#show();
        this.#start();
      },
      onAttached: () => this.#start(),
      onDetaching: () => {
        if (this.#running === current) this.#expectPause();
      },
      onMedia: () => {
        this.#send({ kind: 'segment' });
        if (this.#running === current) this.#endReturn(current);
      },
      onFatal: (cause) => {
        if (this.#running === current) this.#send({ kind: 'fatal', cause });
      },
    });
    this.#running = current;
    this.#position.beginReturn();
    current.load(url);
  }

  /** Plays, unless the viewer has paused it. */
  #start(): void {
    if (this.#state.phase.kind !== 'paused') this.play();
  }

  #closeRunning(): void {
    if (this.#running) this.#options.onReplace();
    this.#running?.close();
    this.#running = undefined;
  }

  #recoverMedia(): void {
    this.#options.onReplace();
    this.#running?.hls.recoverMediaError();
  }

  #expectPause(): void {
    this.#isReplacing = true;
    setTimeout(() => {
      this.#isReplacing = false;
    });
  }

  #endReturn({ hls }: OpenHls): void {
    const isPaused = this.#state.phase.kind === 'paused';
    const positionSeconds = this.#position.endReturn(hls.latestLevelDetails?.fragments ?? [], isPaused);
    if (positionSeconds !== undefined) this.#video.currentTime = positionSeconds;
  }

  #jumpToLive(): void {
    const liveSeconds = this.#running?.hls.liveSyncPosition;
    this.#position.follow();
    if (liveSeconds != null) this.#video.currentTime = liveSeconds;
    this.play();
    this.#show();
  }

  get #wish(): PlayedWish {
    return { chosen: this.#chosen, offered: this.#offered };
  }

  /** Whether the player knows the wanted rendition, or will get the wish later. */
  #steer(isAtOnce = false): boolean {
    return this.#running?.steer(this.#wish, isAtOnce) ?? true;
  }

  #tick(): void {
    this.#running?.forgetOldStalls();
    const timeline = this.#running?.timeline;
    if (timeline !== undefined && this.#state.phase.kind === 'playing') this.#position.notePlaying(timeline);
    this.#steer();
    if (this.#running?.mayDecodeMore === true && this.#state.phase.kind !== 'paused') this.#send({ kind: 'outdated' });
    const isRewound = !this.#position.isFollowing && timeline !== undefined && isInWindow(timeline);
    const hasLighter = this.#running?.hasLighter(this.#wish) === true;
    this.#send({ kind: 'tick', isRewound, aheadSeconds: measureAhead(this.#video), hasLighter });
  }

  #onFrame(seconds: number): void {
    if (this.#running?.noteShown(seconds) === true) this.#show();
  }

  #onTime(): void {
    if (this.#running?.advance() === true) this.#send({ kind: 'advanced' });
  }

  #onPause(): void {
    if (this.#isReplacing || this.#video.ended || this.#video.readyState === 0) return;
    this.#position.pause(document.hidden);
    this.#send({ kind: 'paused' });
  }

  #onPlay(): void {
    const timeline = this.#isReplacing ? undefined : this.#running?.timeline;
    const mustGoLive = this.#position.resume(timeline, measureAhead(this.#video));
    this.#send({ kind: 'resumed' });
    if (mustGoLive) this.#jumpToLive();
  }

  /** Any other error than a refusal means that the picture was paused or replaced meanwhile. */
  #onUnplayed(error: unknown): void {
    const isRefused = error instanceof DOMException && error.name === 'NotAllowedError';
    if (!isRefused || !this.#video.paused || this.#running === undefined) return;
    this.#position.refuse();
    this.#send({ kind: 'refused' });
  }
}
