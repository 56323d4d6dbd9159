import { type AacConfig, parseAacConfig, writtenOutRate } from './aac.ts';
import { formatSilentFrame } from './aac-silence.ts';
import { formatFullBox, uint8, uint16, uint32 } from './fmp4-box.ts';
import { MediaFormatError } from './media-format-error.ts';
import type { AudioConfig, AudioFormat } from './track-config.ts';

/** The configuration of an AAC track. */
export type AacTrackConfig = AudioConfig & AacConfig;

/** The longest frame: 6144 bits per channel (ISO/IEC 14496-3 §4.5.3.1), at most 48 channels. */
const maxFrameBytes = 48 * 768;

/** AAC in raw frames (ISO/IEC 14496-3 §4.4.2.1). */
export const aacFormat: AudioFormat<AacTrackConfig> = {
  name: 'AAC',
  fourCc: 'mp4a',
  parseRecord(record) {
    const config = parseAacConfig(record);
    return { track: 'audio', format: aacFormat, timescale: config.coreSampleRateHz, ...config };
  },
  formatConfigBox: ({ record }) => formatFullBox('esds', 0, 0, elementaryStreamDescriptor(record)),
  findRecord(boxes) {
    const esds = boxes.find(({ type }) => type === 'esds');
    return esds && findSpecificConfig(esds.content);
  },
  measureFrame({ length }, { samplesPerFrame }) {
    if (length > maxFrameBytes) throw new MediaFormatError(`An AAC frame has ${length} bytes.`);
    return samplesPerFrame;
  },
  makeSilence: formatSilentFrame,
  // Only Low Complexity: players differ in whether and how they handle SBR and PS.
  playsEverywhere: (config) => config.codec === 'mp4a.40.2' && fitsAdts(config),
};

/** The highest `channel_configuration` that ADTS has room for. */
const maxAdtsConfiguration = 7;

/**
 * Whether an ADTS header can describe the frames (ISO/IEC 14496-3 §1.A.3.2). Chromium puts one in front of each frame in MP4: it fails
 * to append an init segment whose channels are described element by element, as by ffmpeg's encoder for 5.1(side), and plays none of it.
 */
function fitsAdts({ channelConfiguration, sampleRateIndex, samplesPerFrame }: AacConfig): boolean {
  const hasConfiguration = channelConfiguration >= 1 && channelConfiguration <= maxAdtsConfiguration;
  return hasConfiguration && sampleRateIndex !== writtenOutRate && samplesPerFrame === 1024;
}

/** ES_Descriptor around an AudioSpecificConfig (ISO/IEC 14496-1 §7.2.6). */
function elementaryStreamDescriptor(config: Buffer): Buffer {
  const specific = descriptor(0x05, config);
  // 0x40: MPEG-4 audio; 0x15: an audio stream, upStream 0, reserved 1. Buffer size and bitrates are unknown.
  const decoder = descriptor(0x04, Buffer.concat([uint8(0x40, 0x15, 0, 0, 0), uint32(0, 0), specific]));
  return descriptor(0x03, Buffer.concat([uint16(0), uint8(0), decoder, descriptor(0x06, uint8(0x02))]));
}

/** Formats a descriptor: tag, size in four bytes of 7 bits, content. */
function descriptor(tag: number, content: Buffer): Buffer {
  const { length } = content;
  const size = uint8(0x80 | (length >> 21), 0x80 | ((length >> 14) & 0x7f), 0x80 | ((length >> 7) & 0x7f), length & 0x7f);
  return Buffer.concat([uint8(tag), size, content]);
}

/** Descriptors that contain others, and the bytes before those; version and flags of the box are 4 more. */
const outerDescriptors: Readonly<Record<number, number>> = { 3: 3, 4: 13 };

/** Finds the AudioSpecificConfig in an `esds` box whose descriptors have no optional fields, the usual case. */
function findSpecificConfig(esds: Buffer): Buffer | undefined {
  let position = 4;
  while (position < esds.length) {
    const tag = esds.readUInt8(position);
    position += 1;
    let sizeBytes = 0;
    let sizeByte = 0x80;
    while (sizeByte & 0x80 && position < esds.length) {
      sizeByte = esds.readUInt8(position);
      sizeBytes = sizeBytes * 128 + (sizeByte & 0x7f);
      position += 1;
    }
    if (tag === 5) return esds.subarray(position, position + sizeBytes);
    position += outerDescriptors[tag] ?? sizeBytes;
  }
  return undefined;
}
