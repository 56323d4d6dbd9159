import type { TrackKind } from '../../shared/model/track-kind.ts';
import { ifWellFormed, MediaFormatError } from '../media/media-format-error.ts';
import { type MediaUnit, maxCompositionTimeMs, type VideoUnit } from '../media/media-unit.ts';
import { type AudioConfig, isSameConfig, type VideoConfig } from '../media/track-config.ts';
import { type AudioTag, parseAudioTag } from './audio-tag.ts';
import { FlvReader } from './flv-file.ts';
import type { FlvTag } from './flv-tag.ts';
import { TimestampUnwrapper } from './timestamp-unwrapper.ts';
import { parseVideoTag, type VideoTag } from './video-tag.ts';

/** Ticks per second of RTMP and FLV times. */
const timescale = 1000;

/** The result of reading a tag. */
export type ReadTag =
  | { kind: 'unit'; unit: MediaUnit }
  /** Parameters that are already known, or media before its parameters. */
  | { kind: 'idle' }
  /** A video message without a picture: some drones and cameras describe a picture in a separate message before it. */
  | { kind: 'no-picture' }
  /** The track's media ends; many encoders announce that when they stop. */
  | { kind: 'end-of-sequence' }
  /** Neither video nor audio: script data or a command. */
  | { kind: 'nothing' }
  /** `what` is not supported: a codec, or an Enhanced RTMP feature. */
  | { kind: 'unsupported'; track: TrackKind; what: string };

const idle: ReadTag = { kind: 'idle' };

type CarriedTag<Tag> = Extract<Tag, { format: unknown }>;

/** Turns the tags of one publisher, or of one ffmpeg output, into units. Each tag is parsed here, once. Single use. */
export class UnitReader {
  readonly #clock: TimestampUnwrapper;
  #video: VideoConfig | undefined;
  #audio: AudioConfig | undefined;

  /** @param options.timestampBits how many bits of a timestamp count: ffmpeg writes only 31 of the 32 */
  constructor({ timestampBits = 32 }: { timestampBits?: 31 | 32 } = {}) {
    this.#clock = new TimestampUnwrapper(timestampBits);
  }

  /**
   * Takes the next tag.
   *
   * @throws {TagHeaderError} when the tag's header is broken
   * @throws {MediaFormatError} when its payload is broken: leave that tag out
   */
  read(tag: FlvTag): ReadTag {
    if (tag.kind === 'script' || tag.body.length === 0) return { kind: 'nothing' };
    const parsed = tag.kind === 'video' ? parseVideoTag(tag.body) : parseAudioTag(tag.body);
    if (parsed.kind === 'nothing' || parsed.kind === 'end-of-sequence') return parsed;
    if (parsed.kind === 'unsupported') return { kind: 'unsupported', track: tag.kind, what: parsed.what };
    return tag.kind === 'video'
      ? this.#readVideo(parsed as CarriedTag<VideoTag>, tag.timestampMs)
      : this.#readAudio(parsed as CarriedTag<AudioTag>, tag.timestampMs);
  }

  /** The unit of a tag from ffmpeg; undefined if there is none or the tag is malformed. */
  readUnit(tag: FlvTag): MediaUnit | undefined {
    const read = ifWellFormed(() => this.read(tag), idle);
    return read.kind === 'unit' ? read.unit : undefined;
  }

  #readVideo(tag: CarriedTag<VideoTag>, timestampMs: number): ReadTag {
    if (tag.kind === 'sequence-header') {
      // Some encoders announce the codec before they have its parameters.
      if (tag.record.length === 0 || isSameConfig(this.#video, tag)) return idle;
      this.#video = tag.format.parseRecord(Buffer.from(tag.record));
      return this.#announce(this.#video, timestampMs);
    }
    const config = this.#video;
    const { keyframe, compositionTimeMs, data, format } = tag;
    if (config === undefined) return idle;
    if (format !== config.format)
      throw new MediaFormatError(`A frame of ${format.name} arrived on a track of ${config.format.name}.`);
    const facts = format.inspect(data, config);
    // Chromium's decoders fail at a sample without a picture, and it would count as a frame.
    if (facts === undefined) return { kind: 'no-picture' };
    const { independent, captured, sample = data } = facts;
    if (Math.abs(compositionTimeMs) > maxCompositionTimeMs) {
      throw new MediaFormatError(`A video frame has a composition time of ${compositionTimeMs} ms.`);
    }
    const dts = this.#clock.unwrap(timestampMs);
    const unit: VideoUnit = {
      type: 'video',
      timescale,
      dts,
      pts: dts + compositionTimeMs,
      config,
      keyframe,
      independent: keyframe && independent,
      data: sample,
    };
    if (captured !== undefined) unit.captured = captured;
    return { kind: 'unit', unit };
  }

  #readAudio(tag: CarriedTag<AudioTag>, timestampMs: number): ReadTag {
    if (tag.kind === 'sequence-header') {
      if (tag.record.length === 0 || isSameConfig(this.#audio, tag)) return idle;
      this.#audio = tag.format.parseRecord(Buffer.from(tag.record));
      return this.#announce(this.#audio, timestampMs);
    }
    const config = this.#audio;
    const { data, format } = tag;
    if (config === undefined || data.length === 0) return idle;
    if (format !== config.format)
      throw new MediaFormatError(`A frame of ${format.name} arrived on a track of ${config.format.name}.`);
    format.measureFrame(data, config);
    const dts = this.#clock.unwrap(timestampMs);
    return { kind: 'unit', unit: { type: 'audio', timescale, dts, config, data } };
  }

  /** Sequence headers may have any time or none, so the configuration takes the newest time of the media. */
  #announce(config: VideoConfig | AudioConfig, timestampMs: number): ReadTag {
    return { kind: 'unit', unit: { type: 'config', timescale, dts: this.#clock.latestMs ?? timestampMs, config } };
  }
}

/** The units of a complete FLV file. @throws {MediaFormatError} when it is not FLV */
export function readUnits(file: Buffer): MediaUnit[] {
  const reader = new UnitReader();
  return new FlvReader().push(file).flatMap((tag) => reader.readUnit(tag) ?? []);
}
