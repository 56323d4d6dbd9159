import type { CaptureStamp } from './capture-stamp.ts';
import type { Box } from './fmp4-reader.ts';
import type { SampleAspect } from './video-usability.ts';

/** What a decoder needs to know of a video track. */
export interface VideoConfig {
  readonly track: 'video';
  readonly format: VideoFormat;
  /** The decoder configuration record, as a sequence header carries it. */
  readonly record: Buffer;
  /** RFC 6381 codec string, for `CODECS`. */
  readonly codec: string;
  /** Pixels as coded, after cropping. */
  readonly width: number;
  readonly height: number;
  readonly sampleAspect: SampleAspect;
  /** Frames per second, only where the encoder promises a fixed rate. */
  readonly fps?: number | undefined;
  /** Frames per second that the encoder names, whether it promises them or not. */
  readonly nominalFps?: number | undefined;
}

/** What a decoder needs to know of an audio track. */
export interface AudioConfig {
  readonly track: 'audio';
  readonly format: AudioFormat;
  /** The decoder configuration record, as a sequence header carries it. */
  readonly record: Buffer;
  /** RFC 6381 codec string, for `CODECS`. */
  readonly codec: string;
  /** Samples per second that frames are counted in: the timescale of the MP4 track. */
  readonly timescale: number;
  /** Rate of the decoded sound. */
  readonly sampleRateHz: number;
  readonly channels: number;
  /** Samples, in ticks of `timescale`, of a frame of silence, and of every frame that does not say how long it is. */
  readonly samplesPerFrame: number;
}

/** What a look into one frame of a picture tells. */
export interface PictureFacts {
  /** Nothing from before is needed for what follows. */
  independent: boolean;
  /** When it was captured, where it says so. */
  captured?: CaptureStamp;
  /** The frame as the sample of an MP4 track has it, where that is not as it came. */
  sample?: Buffer;
}

/** A picture that can stand for as long as it must: access units. */
export interface StillPicture {
  /** The picture itself, independent, with nothing that was said beside it. */
  idr: Buffer;
  /** The access unit that shows the picture unchanged, as the `index`th after {@link idr}, counted from 1. */
  repeat(index: number): Buffer;
}

/** How the picture of a track that is away is held. */
export interface PictureHolding<Config extends VideoConfig = VideoConfig> {
  /** The configuration of a track that may hold pictures: that of our own frames may be added to it. */
  prepare(config: Config): Config;
  /** A still of an independent access unit; undefined where none can be made of it. */
  makeStill(data: Buffer, config: Config): StillPicture | undefined;
  /** A black picture; undefined where none can be made. */
  makeBlack(config: Config): Buffer | undefined;
}

/**
 * All that depends on a video codec, one of them per codec. What is optional is what can be done with pictures of some codecs only:
 * callers ask whether it is there, and never which codec it is.
 */
export interface VideoFormat<Config extends VideoConfig = VideoConfig> {
  /** The name people know it by. */
  readonly name: string;
  /** The FourCC of its sample entry, which Enhanced RTMP names it by as well. */
  readonly fourCc: string;
  /** The brand of files with it, where its binding to MP4 defines one. */
  readonly brand?: string;
  /** @throws {MediaFormatError} when the record is malformed, or of what is not carried. */
  parseRecord(record: Buffer): Config;
  /** The box of the sample entry that holds the configuration. */
  formatConfigBox(config: Config): Buffer;
  /** The record, as {@link formatConfigBox} puts it among the boxes of a sample entry; undefined where there is none. */
  findRecord(boxes: readonly Box[]): Buffer | undefined;
  /** Looks into a frame. @throws {MediaFormatError} when it would break players. */
  inspect(data: Buffer, config: Config): PictureFacts;
  /** How a picture is held. */
  readonly holding?: PictureHolding<Config>;
  /** A keyframe with what makes a decoder take it for one. */
  markKeyframe?(data: Buffer, config: Config): Buffer;
  /** A frame that says when it was captured. */
  insertCaptureStamp?(data: Buffer, config: Config, stamp: CaptureStamp): Buffer;
}

/** All that depends on an audio codec, one of them per codec; as {@link VideoFormat}. */
export interface AudioFormat<Config extends AudioConfig = AudioConfig> {
  /** The name people know it by. */
  readonly name: string;
  /** The FourCC of its sample entry, which Enhanced RTMP names it by as well. */
  readonly fourCc: string;
  /** @throws {MediaFormatError} when the record is malformed, or of what is not carried. */
  parseRecord(record: Buffer): Config;
  /** The box of the sample entry that holds the configuration. */
  formatConfigBox(config: Config): Buffer;
  /** The record, as {@link formatConfigBox} puts it among the boxes of a sample entry; undefined where there is none. */
  findRecord(boxes: readonly Box[]): Buffer | undefined;
  /** How long a frame lasts, in ticks of the configuration's timescale. @throws {MediaFormatError} when it is no frame. */
  measureFrame(data: Buffer, config: Config): number;
  /** A frame of silence, of the configuration's `samplesPerFrame`; undefined where none can be made. */
  makeSilence(config: Config): Buffer | undefined;
  /** Whether any player of HLS takes it as it is: what only some take is encoded for renditions. */
  playsEverywhere(config: Config): boolean;
}

/** The same parameters, byte for byte: publishers repeat them. */
export function isSameConfig(
  one: VideoConfig | AudioConfig | undefined,
  other: Pick<VideoConfig | AudioConfig, 'format' | 'record'>,
): boolean {
  return one !== undefined && one.format === other.format && one.record.equals(other.record);
}
