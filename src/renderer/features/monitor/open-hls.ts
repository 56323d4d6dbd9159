import Hls, { type ErrorData, ErrorDetails, ErrorTypes, Events, type LevelDetails, type LevelParsed } from 'hls.js';
import { trimBackBuffer } from './back-buffer.ts';
import type { PlayerSettings } from './hls-settings.ts';
import { JumpAllowance } from './jump-allowance.ts';
import { LevelSteering, type PlayedWish } from './level-steering.ts';
import { holdLiveEdge } from './live-edge.ts';
import { PictureDates } from './picture-dates.ts';
import type { FatalCause } from './recovery.ts';
import { forgetStalls } from './stall-allowance.ts';
import type { Timeline } from './timeline.ts';
import { TransferWatch } from './transfer-watch.ts';
import { findUndecodable } from './undecodable.ts';

/**
 * How far a low-latency player may be from its target, in seconds. Within it, the player catches up by playing faster
 * (`holdLiveEdge`).
 */
const lowLatencySlackSeconds = 1.5;
/** A picture that stops this far before the live edge, in seconds, has not run out of media. */
const leastMissedSeconds = 0.5;

export interface OpenHlsOptions {
  video: HTMLVideoElement;
  settings: PlayerSettings;
  /** Whether the playhead should stay at the live edge. */
  isFollowing: () => boolean;
  /** The multivariant playlist is known. */
  onManifest: () => void;
  onAttached: () => void;
  /** The media is about to be removed, also after the decoder failed: hls.js then opens another one, which is paused. */
  onDetaching: () => void;
  /** More media is in the buffer. */
  onMedia: () => void;
  onFatal: (cause: FatalCause) => void;
}

/**
 * One hls.js on a video element, and everything that lasts as long as it does. It calls no listener before `load`, so its owner has it by
 * then. Single use.
 */
export class OpenHls {
  readonly hls: Hls;
  readonly #video: HTMLVideoElement;
  readonly #steering: LevelSteering;
  readonly #transfers = new TransferWatch();
  readonly #dates = new PictureDates();
  readonly #jumps = new JumpAllowance();
  readonly #letEdgeGo: () => void;
  readonly #forgetOldStalls: () => void;
  /** The renditions in the multivariant playlist, also those that hls.js leaves out of its levels. */
  #listed: readonly LevelParsed[] = [];
  /** How many discontinuities came before the newest segment when it was opened. */
  #discontinuities: number | undefined;
  /** Position of the frame on screen. While waiting for media, the playhead is ahead of it. */
  #shownSeconds: number | undefined;
  #hasShown = false;
  /** Whether playing has moved the playhead through this media. */
  #hasMoved = false;
  #isResting = false;
  /** Where the playhead was last. */
  #lastTimeSeconds = 0;

  constructor({ video, settings, isFollowing, ...listeners }: OpenHlsOptions) {
    const { onManifest, onAttached, onDetaching, onMedia, onFatal } = listeners;
    const hls = new Hls(settings.hls);
    this.hls = hls;
    this.#video = video;
    this.#steering = new LevelSteering(hls);
    trimBackBuffer(hls, video, settings.backSeconds);
    this.#letEdgeGo = holdLiveEdge(hls, video, isFollowing);
    this.#forgetOldStalls = forgetStalls(hls);
    hls.on(Events.FRAG_BUFFERED, (_event, { frag, part }) => {
      this.#dates.note(frag, part);
      onMedia();
    });
    hls.on(Events.FRAG_LOADING, (_event, { frag, part }) => this.#transfers.begin(part ?? frag));
    hls.on(Events.FRAG_LOADED, (_event, { frag, part }) => this.#transfers.end(part ?? frag));
    hls.on(Events.MANIFEST_LOADED, (_event, { levels }) => {
      this.#listed = levels;
    });
    hls.on(Events.MANIFEST_PARSED, onManifest);
    hls.on(Events.LEVEL_UPDATED, (_event, { details }) => {
      this.#discontinuities ??= details.fragments.at(-1)?.cc;
      // hls.js decides right after this event whether it jumps to live.
      this.#keepPace(details, isFollowing());
    });
    hls.on(Events.MEDIA_DETACHING, () => {
      this.#hasShown = false;
      this.#hasMoved = false;
      onDetaching();
    });
    hls.on(Events.MEDIA_ATTACHED, onAttached);
    hls.on(Events.ERROR, (_event, error) => {
      if (error.fatal) onFatal(findCause(error));
    });
  }

  load(url: string): void {
    this.hls.attachMedia(this.#video);
    this.hls.loadSource(url);
  }

  /**
   * Loads neither playlists nor media while it rests; what is in the buffer can be played. Without its multivariant playlist it doesn't rest
   * yet: hls.js would drop the request for good.
   */
  rest(isResting: boolean): void {
    if (isResting === this.#isResting || this.#listed.length === 0) return;
    this.#isResting = isResting;
    if (isResting) this.hls.stopLoad();
    else this.hls.startLoad();
  }

  /** Absent until there is something to play. */
  get timeline(): Timeline | undefined {
    const details = this.hls.latestLevelDetails;
    const liveSeconds = this.hls.liveSyncPosition;
    if (details == null || liveSeconds == null || this.#video.readyState === 0) return undefined;
    return {
      startSeconds: details.fragmentStart,
      liveSeconds,
      positionSeconds: this.#video.currentTime,
      slackSeconds: findSlack(details),
    };
  }

  /** The name of the rendition being loaded. */
  get playing(): string | undefined {
    return this.#steering.names[this.hls.currentLevel];
  }

  /** The names of the renditions that the browser can't decode; absent before the playlist is known, or if it can decode none. */
  get undecodable(): readonly string[] | undefined {
    const { levels } = this.hls;
    return levels.length === 0 ? undefined : findUndecodable(this.#listed, levels);
  }

  /**
   * Whether a rendition that can't be decoded may have another format by now: hls.js reads the multivariant playlist once. A format begins
   * with a discontinuity, and is in that playlist once a segment of it is whole.
   */
  get mayDecodeMore(): boolean {
    if (this.undecodable === undefined || this.undecodable.length === 0 || this.#discontinuities === undefined) return false;
    return (this.hls.latestLevelDetails?.fragments.at(-2)?.cc ?? 0) > this.#discontinuities;
  }

  /** Whether its media has shown a frame, or has played if it is sound only. */
  get hasShown(): boolean {
    return this.#hasShown;
  }

  /** The frame at this second of the video element is on screen. Returns whether it is the first of its media. */
  noteShown(seconds: number): boolean {
    const isFirst = !this.#hasShown;
    this.#hasShown = true;
    this.#shownSeconds = seconds;
    return isFirst;
  }

  /** The program date-time of the frame on screen, epoch milliseconds. */
  get shownDateMs(): number | undefined {
    return this.#shownSeconds === undefined ? undefined : this.#dates.find(this.#shownSeconds);
  }

  /** Call when the playhead may have moved. Returns whether playing has moved it on. */
  advance(): boolean {
    const { currentTime, seeking, readyState, videoHeight } = this.#video;
    const isAdvance = currentTime > this.#lastTimeSeconds && !seeking;
    if (isAdvance && readyState > 0 && videoHeight === 0) this.#hasShown = true;
    if (isAdvance) this.#hasMoved = true;
    this.#lastTimeSeconds = isAdvance ? currentTime : Math.min(this.#lastTimeSeconds, currentTime);
    return isAdvance;
  }

  /**
   * Whether hls.js knows the wanted rendition, or no player could play it: then hls.js chooses. True before it has read the playlist, after
   * which it gets the wish.
   */
  steer(wish: PlayedWish, isAtOnce: boolean): boolean {
    return this.#steering.names.length === 0 || this.#steering.steer(this.#limit(wish), performance.now(), isAtOnce);
  }

  /** Past this latency hls.js jumps to the live edge. Never while the viewer has deliberately left it. */
  #keepPace(details: LevelDetails, isFollowing: boolean): void {
    const targetSeconds = this.hls.targetLatency ?? 3 * details.targetduration;
    const { currentTime, seeking } = this.#video;
    const look = { isUnderWay: seeking || !this.#hasMoved, behindSeconds: details.edge - targetSeconds - currentTime };
    this.hls.config.liveMaxLatencyDuration = isFollowing
      ? targetSeconds + this.#jumps.find(look, findSlack(details))
      : Number.POSITIVE_INFINITY;
  }

  /** Lets it move closer to live again when its stalls are long past; call now and then. */
  forgetOldStalls(): void {
    this.#forgetOldStalls();
  }

  /**
   * Whether media arrives too slowly though more is available, and a rendition exists that may arrive faster. hls.js finds that
   * one too late or never: it reads the multivariant playlist once, and measures 100 Gbit/s for parts from this computer.
   */
  hasLighter(wish: PlayedWish): boolean {
    const { chosen, offered } = this.#limit(wish);
    const edgeSeconds = this.hls.latestLevelDetails?.edge;
    if (chosen !== undefined || edgeSeconds === undefined) return false;
    const isAnyLeft = this.hls.loadLevel > 0 || offered?.some((name) => !this.#steering.names.includes(name));
    return (
      isAnyLeft === true &&
      edgeSeconds - this.#video.currentTime > leastMissedSeconds &&
      this.#transfers.isSlow(performance.now())
    );
  }

  /** The part of a wish that can be decoded. */
  #limit({ chosen, offered }: PlayedWish): PlayedWish {
    const isDecodable = (name: string) => this.undecodable?.includes(name) !== true;
    return {
      chosen: chosen !== undefined && isDecodable(chosen) ? chosen : undefined,
      offered: offered?.filter(isDecodable),
    };
  }

  close(): void {
    this.#letEdgeGo();
    this.hls.destroy();
  }
}

function findSlack({ partTarget, targetduration }: Pick<LevelDetails, 'partTarget' | 'targetduration'>): number {
  return partTarget > 0 ? lowLatencySlackSeconds : 2 * targetduration;
}

function findCause({ type, details }: ErrorData): FatalCause {
  if (details === ErrorDetails.MANIFEST_INCOMPATIBLE_CODECS_ERROR) return 'codecs';
  if (type === ErrorTypes.NETWORK_ERROR) return 'network';
  return type === ErrorTypes.MEDIA_ERROR ? 'media' : 'other';
}
