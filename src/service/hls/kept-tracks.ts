import type { TrackKind } from '../../shared/model/track-kind.ts';
import type { AudioConfig, VideoConfig } from '../media/track-config.ts';
import type { PackagerBounds } from './packager-bounds.ts';
import { type HeldPictureFit, PictureHold } from './picture-hold.ts';
import { SilenceFill, type VideoSpan } from './silence-fill.ts';
import { StandInAllowance } from './stand-in-allowance.ts';
import { VideoSteadier } from './video-steadier.ts';
import type { VideoInput } from './video-track.ts';

/** The last known tracks of a session: a publisher that takes over may have only one of them. */
export interface TrackMemory {
  audio?: AudioConfig;
  /** The newest independent frame. */
  newestFrame?: VideoInput;
}

export interface KeptTracksOptions {
  bounds: PackagerBounds;
  fit: HeldPictureFit & {
    /** From where to where the video of the open segment goes, if it has any. */
    readonly openVideoSpan: VideoSpan | undefined;
    /** Whether audio of this time can be played with the video. */
    playsAudio(timeMs: number): boolean;
    /**
     * Before the first segment of a timeline, drops audio that ends long before its video, at `videoMs`, or begins long after. Returns
     * whether it did.
     */
    dropAudioApart(videoMs: number): boolean;
  };
  /** From the publishers before, and for the next ones. */
  memory: TrackMemory;
  /** Take silent and held frames, in order, before the media that has arrived. */
  onAudio: (timeMs: number, data: Buffer) => void;
  onVideo: (frame: VideoInput) => void;
}

/**
 * Keeps both tracks of a source going while one is away: audio with silence, video with the last keyframe.
 *
 * Players with Media Source Extensions reject an init segment without a track they had before, and stop where the shorter track
 * ends. So a session keeps every track to its end. Its renditions are made from the same media, and keep theirs.
 */
export class KeptTracks {
  readonly #silence: SilenceFill;
  readonly #heldPicture: PictureHold;
  readonly #steadier = new VideoSteadier();
  /** The publisher says when it captured its frames: their times have no jitter to remove. */
  #dated = false;
  readonly #options: KeptTracksOptions;
  readonly #allowance = new StandInAllowance();

  constructor(options: KeptTracksOptions) {
    const { bounds, fit, memory } = options;
    this.#options = options;
    this.#silence = new SilenceFill(bounds, this.#allowance);
    this.#heldPicture = new PictureHold(bounds, fit, { newest: memory.newestFrame, allowance: this.#allowance });
    if (memory.audio) this.#silence.setConfig(memory.audio);
  }

  /** The track that is away now, and that silence or a held picture replaces. */
  get away(): TrackKind | undefined {
    if (this.#silence.filling) return 'audio';
    return this.#heldPicture.holding ? 'video' : undefined;
  }

  setAudioConfig(config: AudioConfig): void {
    this.#options.memory.audio = config;
    this.#silence.setConfig(config);
  }

  setVideoConfig(config: VideoConfig): void {
    this.#heldPicture.setConfig(config);
  }

  /** A frame has arrived. Returns its time, or undefined if it is to be dropped. */
  takeVideo(stamped: VideoInput & { arrivedMs: number }, { isDated }: { isDated: boolean }): number | undefined {
    const { fit, memory, onVideo } = this.#options;
    this.#allowance.earn(stamped.arrivedMs);
    this.#dated ||= isDated;
    const timeMs = this.#dated ? stamped.timeMs : this.#steadier.place(stamped, fit.fps);
    const frame = { ...stamped, timeMs };
    const held = this.#heldPicture.takeFrame(frame);
    if (held === undefined) return undefined;
    if (frame.independent) memory.newestFrame = frame;
    for (const heldFrame of held) onVideo(heldFrame);
    if (fit.dropAudioApart(timeMs)) this.#silence.restart();
    this.#fillSilence(timeMs);
    return timeMs;
  }

  /** The video has reached this time. */
  #fillSilence(timeMs: number): void {
    for (const silent of this.#silence.followVideo(timeMs)) this.#options.onAudio(silent.timeMs, silent.data);
  }

  /** An audio frame of `frameMs` has arrived, at `arrivedMs` by `Clock.monotonicMs`. Returns its time, or undefined if it is to be dropped. */
  takeAudio(stampMs: number, frameMs: number, arrivedMs: number): number | undefined {
    this.#allowance.earn(arrivedMs);
    const { fit, onVideo, onAudio } = this.#options;
    const taken = fit.playsAudio(stampMs) ? this.#silence.takeAudio(stampMs, frameMs) : undefined;
    for (const frame of taken?.silent ?? []) onAudio(frame.timeMs, frame.data);
    // Audio that cannot be played with the video moves it, too: if the video stops, both stand-ins catch up with that audio.
    for (const frame of this.#heldPicture.followAudio(taken?.timeMs ?? stampMs)) {
      onVideo(frame);
      if (taken === undefined) this.#fillSilence(frame.timeMs);
    }
    return taken?.timeMs;
  }

  /** Nothing follows, as at the end of a session, or what follows is on another timeline. */
  finish(): void {
    const { fit, onAudio } = this.#options;
    const video = fit.openVideoSpan;
    if (video) for (const { timeMs, data } of this.#silence.finish(video)) onAudio(timeMs, data);
    this.#silence.restart();
    this.#heldPicture.restart();
    this.#steadier.restart();
  }
}
