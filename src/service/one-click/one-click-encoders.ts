import type { EncodeSettings } from '../../shared/model/encode-settings.ts';
import type { EncoderName } from '../../shared/model/encoder.ts';
import type { TrackKind } from '../../shared/model/track-kind.ts';
import { HoldBack } from '../lib/hold-back.ts';
import type { MediaUnit } from '../media/media-unit.ts';
import type { StreamMetadata } from '../media/stream-metadata.ts';
import type { Clock } from '../ports.ts';
import { encodeAudioArgs, encodeVideoArgs } from './encode-args.ts';
import { Encoder, type EncoderFailure, type EncoderOptions } from './encoder.ts';
import { SoundHold } from './sound-hold.ts';
import { timestampOriginSeconds } from './stamp-unit.ts';
import { type EncoderListener, VideoEncoders } from './video-encoders.ts';

export interface OneClickEncodersOptions extends Omit<EncoderListener, 'onRestart'> {
  /** The ffmpeg of this track crashed or froze, and is started again in `waitMs`. */
  onRestart: (failure: EncoderFailure, waitMs: number, track: TrackKind) => void;
  feed: EncoderOptions['feed'];
  settings: EncodeSettings;
  ffmpegPath: string;
  encoder: EncoderName;
  /** Whether x264 looks some frames ahead, for better pictures that come later. */
  looksAhead: boolean;
  clock: Clock;
}

/**
 * The encoders of one broadcast: video and audio have an ffmpeg each, so that the video's can be replaced while the audio continues as
 * if nothing happened. Nothing goes out before both have announced their track: a server takes what
 * comes first for all there is.
 */
export class OneClickEncoders {
  readonly #video: VideoEncoders;
  readonly #audio: Encoder;
  readonly #units: HoldBack<MediaUnit>;
  /** What the encoder of each track has said of it. */
  readonly #announced: Partial<Record<TrackKind, StreamMetadata>> = {};
  readonly #onMetadata: (metadata: StreamMetadata) => void;
  /** The encoder in use: one that failed is not tried again. */
  #encoder: EncoderName;

  constructor(options: OneClickEncodersOptions) {
    const { feed, settings, ffmpegPath, clock, looksAhead, onUnit, onMetadata, onProgress, onRestart, onFailed } = options;
    this.#onMetadata = onMetadata;
    this.#encoder = options.encoder;
    const sound = new SoundHold(onUnit);
    this.#units = new HoldBack((unit) => sound.push(unit));
    const takeUnit = (unit: MediaUnit) => this.#units.push(unit);
    const common = { ffmpegPath, feed, clock };
    const onFallback = (failed: EncoderName) => {
      this.#encoder = 'libx264';
      options.onFallback(failed);
    };
    this.#video = new VideoEncoders(
      {
        fps: settings.fps,
        originMs: timestampOriginSeconds * 1000,
        start: (bitrateBps, listener) =>
          new Encoder({
            ...common,
            ...listener,
            tracks: { video: true, audio: false },
            encoder: this.#encoder,
            args: (encoder) => encodeVideoArgs(settings, { encoder, looksAhead, bitrateBps }),
          }),
        onUnit: takeUnit,
        onMetadata: (metadata) => this.#announce('video', metadata),
        onProgress,
        onFallback,
        onRestart: (failure, waitMs) => onRestart(failure, waitMs, 'video'),
        onFailed,
      },
      settings.videoBitrateBps,
    );
    this.#audio = new Encoder({
      ...common,
      tracks: { video: false, audio: true },
      // There is no hardware for audio, so there is nothing to fall back from.
      encoder: 'libx264',
      args: () => encodeAudioArgs(settings),
      onUnit: takeUnit,
      onMetadata: (metadata) => this.#announce('audio', metadata),
      onProgress: () => {},
      onFallback: () => {},
      onRestart: (failure, waitMs) => onRestart(failure, waitMs, 'audio'),
      onFailed,
    });
  }

  /** The video encoder in use. */
  get encoder(): EncoderName {
    return this.#encoder;
  }

  /** Encodes the video at another bitrate from a keyframe on. Resolves once it does; with false if it can't. */
  replace(videoBitrateBps: number): Promise<boolean> {
    return this.#video.replace(videoBitrateBps);
  }

  /** Ends them within 1.5 s; no callback follows. */
  async stop(): Promise<void> {
    await Promise.all([this.#video.stop(), this.#audio.stop()]);
  }

  #announce(track: TrackKind, metadata: StreamMetadata): void {
    this.#announced[track] = metadata;
    const { video, audio } = this.#announced;
    if (video === undefined || audio === undefined) return;
    this.#onMetadata(new Map([...audio, ...video]));
    if (!this.#units.isReleased) this.#units.release();
  }
}
