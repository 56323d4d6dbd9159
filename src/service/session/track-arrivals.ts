import type { TrackKind } from '../../shared/model/track-kind.ts';
import { type AudioUnit, decodeMs, isKeyframe, trackOf, type VideoUnit } from '../media/media-unit.ts';

/** A track that hasn't arrived for this long while the other has is away: segments don't wait for it any longer. */
const awayMs = 5_000;
/** Audio and video that are timed so far apart have different clocks. */
const apartMs = 5_000;
/** Media older than this is not current. */
export const freshMs = 2_000;

/** When the frames of one publisher's tracks arrive, and what that says about them. Times are those of `Clock.monotonicMs`. */
export class TrackArrivals {
  /** The newest frame of each track: when it arrived, and when it is decoded. */
  readonly #newest: Partial<Record<TrackKind, { atMs: number; timeMs: number }>> = {};
  #firstAt: number | undefined;
  #firstVideoAt: number | undefined;
  /** When media came again after a pause of both tracks: neither has been missing for longer than that. */
  #resumedAt = Number.NEGATIVE_INFINITY;
  #hasKeyframe = false;

  /** A frame arrives. */
  add(unit: VideoUnit | AudioUnit, now: number): void {
    const { video, audio } = this.#newest;
    const lastAt = Math.max(video?.atMs ?? this.#resumedAt, audio?.atMs ?? this.#resumedAt);
    if (now - lastAt >= awayMs) this.#resumedAt = now;
    this.#newest[trackOf(unit)] = { atMs: now, timeMs: decodeMs(unit) };
    this.#firstAt ??= now;
    if (unit.type === 'video') this.#firstVideoAt ??= now;
    this.#hasKeyframe ||= isKeyframe(unit);
  }

  get hasKeyframe(): boolean {
    return this.#hasKeyframe;
  }

  /** Video arrives, but none of it can be shown. */
  get lacksKeyframe(): boolean {
    return this.#firstVideoAt !== undefined && !this.#hasKeyframe;
  }

  /** Something has arrived that can be played by itself. */
  get hasPlayable(): boolean {
    return this.#hasKeyframe || this.#newest.audio !== undefined;
  }

  /**
   * The track that has gone away without anything to stand in for it, such as video of a codec whose pictures can't be held.
   *
   * @param had the tracks that the session has had: a publisher that takes over is missing them from its first frame on
   */
  findAway(now: number, had: Readonly<Record<TrackKind, boolean>>): TrackKind | undefined {
    const { video, audio } = this.#newest;
    const videoAt = video?.atMs ?? (had.video ? this.#firstAt : undefined);
    const audioAt = audio?.atMs ?? (had.audio ? this.#firstAt : undefined);
    if (videoAt === undefined || audioAt === undefined || now - Math.max(videoAt, audioAt) > freshMs) return undefined;
    if (this.lacksKeyframe && now - (this.#firstVideoAt ?? now) >= awayMs) return 'video';
    if (Math.abs(Math.max(videoAt, this.#resumedAt) - Math.max(audioAt, this.#resumedAt)) < awayMs) return undefined;
    return videoAt < audioAt ? 'video' : 'audio';
  }

  /** Both tracks arrive, and what arrives together is timed far apart. */
  isSoundApart(now: number): boolean {
    const { video, audio } = this.#newest;
    if (video === undefined || audio === undefined || now - Math.min(video.atMs, audio.atMs) > freshMs) return false;
    return Math.abs(video.timeMs - audio.timeMs) > apartMs;
  }
}
