import type { CaptureStamp } from './capture-stamp.ts';
import type { Box } from './fmp4-reader.ts';
import type { SampleAspect } from './video-usability.ts';

/** What a decoder needs to know about a video track. */
export interface VideoConfig {
  readonly track: 'video';
  readonly format: VideoFormat;
  /** The decoder configuration record, as in a sequence header. */
  readonly record: Buffer;
  /** RFC 6381 codec string, for `CODECS`. */
  readonly codec: string;
  /** Coded pixels after cropping. */
  readonly width: number;
  readonly height: number;
  readonly sampleAspect: SampleAspect;
  /** How its colours become light: `TransferCharacteristics` (ISO/IEC 23091-2 §8.2), if stated. */
  readonly transfer?: number | undefined;
  /** Frames may consist of two fields, the lines of two moments. */
  readonly mayBeInterlaced?: boolean | undefined;
  /** Its profile, such as one for 4:4:4, is one that most decoders in phones and some browsers lack, though they know the codec. */
  readonly hasRareProfile?: boolean | undefined;
  /** Frames per second, only if the encoder promises a fixed rate. */
  readonly fps?: number | undefined;
  /** Nominal frames per second that the encoder names, promised or not. */
  readonly nominalFps?: number | undefined;
}

/** What a decoder needs to know about an audio track. */
export interface AudioConfig {
  readonly track: 'audio';
  readonly format: AudioFormat;
  /** The decoder configuration record, as in a sequence header. */
  readonly record: Buffer;
  /** RFC 6381 codec string, for `CODECS`. */
  readonly codec: string;
  /** Ticks per second that frames are counted in: the timescale of the MP4 track. */
  readonly timescale: number;
  /** Rate of the decoded audio. */
  readonly sampleRateHz: number;
  readonly channels: number;
  /** Samples, in ticks of `timescale`, of a silent frame, and of frames that do not state their duration. */
  readonly samplesPerFrame: number;
}

/** The findings of an inspection of one video frame. */
export interface PictureFacts {
  /** No later frame depends on anything before it. */
  independent: boolean;
  /** When it was captured, if stamped. */
  captured?: CaptureStamp;
  /** The frame as an MP4 sample, if that differs from how it arrived. */
  sample?: Buffer;
}

/** A picture that can be shown for any length of time, as access units. */
export interface StillPicture {
  /** The picture itself, independent, without supplemental messages. */
  picture: Buffer;
  /** The access unit that repeats the picture unchanged, the `index`th after {@link picture}, starting at 1. */
  repeat(index: number): Buffer;
}

/** How the picture of an away video track is held. */
export interface PictureHolding<Config extends VideoConfig = VideoConfig> {
  /** Prepares the configuration of a track that may hold pictures; may add parameters for our own frames. */
  prepare(config: Config): Config;
  /** Makes a still from an independent access unit; undefined if it cannot. */
  makeStill(data: Buffer, config: Config): StillPicture | undefined;
  /** Makes a black picture; undefined if it cannot. */
  makeBlack(config: Config): Buffer | undefined;
}

/** A decoder configuration record and one frame that goes with it. */
export interface CodecSample {
  record: Buffer;
  frame: Buffer;
}

/**
 * Everything that depends on a video codec, one per codec. Optional members are capabilities of some codecs: callers check for them,
 * never for the codec.
 */
export interface VideoFormat<Config extends VideoConfig = VideoConfig> {
  /** The codec's common name. */
  readonly name: string;
  /** The FourCC of its sample entry, also used by Enhanced RTMP. */
  readonly fourCc: string;
  /** The file brand that its MP4 binding defines, if any. */
  readonly brand?: string;
  /** Whether frames may be decoded in another order than they are shown in. */
  readonly reorders: boolean;
  /** Asks a decoder whether it knows the codec; absent if every ffmpeg reads it from FLV. */
  readonly sample?: CodecSample;
  /** @throws {MediaFormatError} when the record is malformed or unsupported */
  parseRecord(record: Buffer): Config;
  /** The box of the sample entry that holds the configuration. */
  formatConfigBox(config: Config): Buffer;
  /** Finds the record in the boxes of a sample entry, where {@link formatConfigBox} put it; undefined if missing. */
  findRecord(boxes: readonly Box[]): Buffer | undefined;
  /**
   * Inspects a frame; undefined if it only describes pictures and has none itself.
   *
   * @throws {MediaFormatError} when it would break players
   */
  inspect(data: Buffer, config: Config): PictureFacts | undefined;
  /** Whether no other frame needs this one to be decoded: it can be left out. */
  isDisposable?(data: Buffer, config: Config): boolean;
  /** How a picture is held. */
  readonly holding?: PictureHolding<Config>;
  /** Marks a keyframe so that decoders recognise it. */
  markKeyframe?(data: Buffer, config: Config): Buffer;
  /** Adds the capture time to a frame. */
  insertCaptureStamp?(data: Buffer, config: Config, stamp: CaptureStamp): Buffer;
}

/** Everything that depends on an audio codec, one per codec, like {@link VideoFormat}. */
export interface AudioFormat<Config extends AudioConfig = AudioConfig> {
  /** The codec's common name. */
  readonly name: string;
  /** The FourCC of its sample entry, also used by Enhanced RTMP. */
  readonly fourCc: string;
  /** See {@link VideoFormat}. */
  readonly sample?: CodecSample;
  /** @throws {MediaFormatError} when the record is malformed or unsupported */
  parseRecord(record: Buffer): Config;
  /** The box of the sample entry that holds the configuration. */
  formatConfigBox(config: Config): Buffer;
  /** Finds the record in the boxes of a sample entry, where {@link formatConfigBox} put it; undefined if missing. */
  findRecord(boxes: readonly Box[]): Buffer | undefined;
  /** The duration of a frame in ticks of the configuration's timescale. @throws {MediaFormatError} when it is not a frame */
  measureFrame(data: Buffer, config: Config): number;
  /** Makes a silent frame of the configuration's `samplesPerFrame`; undefined if it cannot. */
  makeSilence(config: Config): Buffer | undefined;
  /** Whether every HLS player can play it as is; otherwise it is re-encoded for renditions. */
  playsEverywhere(config: Config): boolean;
}

/** Whether the parameters are the same, byte for byte: publishers repeat them. */
export function isSameConfig(
  one: VideoConfig | AudioConfig | undefined,
  other: Pick<VideoConfig | AudioConfig, 'format' | 'record'>,
): boolean {
  return one !== undefined && one.format === other.format && one.record.equals(other.record);
}
