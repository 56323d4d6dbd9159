import { BitReader } from './bit-reader.ts';
import { MediaFormatError } from './media-format-error.ts';

/** What a decoder needs to know about an AAC track. */
export interface AacConfig {
  /** The AudioSpecificConfig itself, copied. */
  record: Buffer;
  /** RFC 6381 codec string, like `mp4a.40.2`. */
  codec: string;
  /** Rate of the core coder, which frames are counted in. With SBR the output rate is twice as high. */
  coreSampleRateHz: number;
  /** `samplingFrequencyIndex` of the core coder; 15 if its rate is written out. */
  sampleRateIndex: number;
  /** Rate of the decoded audio. */
  sampleRateHz: number;
  channels: number;
  /** `channelConfiguration`; 0 if the channels are described element by element. */
  channelConfiguration: number;
  /** Samples at the core rate in every frame: 1024, rarely 960. */
  samplesPerFrame: 1024 | 960;
}

// Table 1.18 of ISO/IEC 14496-3.
const sampleRates = [96000, 88200, 64000, 48000, 44100, 32000, 24000, 22050, 16000, 12000, 11025, 8000, 7350];

/** The index of a rate that is written out. */
export const writtenOutRate = 15;

const spectralBandReplication = 5;
const parametricStereo = 29;

/**
 * Parses an AudioSpecificConfig (ISO/IEC 14496-3 §1.6.2.1) of AAC Main, LC, SSR or LTP, with SBR and PS if signalled explicitly,
 * hierarchically or in the backward compatible way.
 *
 * @throws {MediaFormatError} when it is malformed or of another object type
 */
export function parseAacConfig(bytes: Buffer): AacConfig {
  const reader = new BitReader(bytes, 'AAC configuration');
  const outerType = readObjectType(reader);
  const { index: sampleRateIndex, sampleRateHz: coreSampleRateHz } = readSampleRate(reader);
  const channelConfiguration = reader.bits(4);
  const extended = outerType === spectralBandReplication || outerType === parametricStereo;
  let sampleRateHz = extended ? readSampleRate(reader).sampleRateHz : coreSampleRateHz;
  const coreType = extended ? readObjectType(reader) : outerType;
  if (coreType < 1 || coreType > 4) throw new MediaFormatError(`AAC object type ${coreType} is not supported.`);

  // GASpecificConfig, §4.4.1.
  const samplesPerFrame = reader.flag() ? 960 : 1024;
  if (reader.flag()) reader.skip(14);
  reader.skip(1);
  let channels = channelConfiguration === 0 ? readProgramConfigChannels(reader) : channelCount(channelConfiguration);

  let objectType = outerType;
  if (!extended && reader.bitsLeft >= 16) {
    const compatible = readCompatibleExtension(reader);
    if (compatible !== undefined) {
      sampleRateHz = compatible.sampleRateHz;
      objectType = compatible.stereo ? parametricStereo : spectralBandReplication;
    }
  }
  // Parametric stereo turns one channel into two.
  if (objectType === parametricStereo && channels === 1) channels = 2;
  return {
    record: Buffer.from(bytes),
    codec: `mp4a.40.${objectType}`,
    coreSampleRateHz,
    sampleRateIndex,
    sampleRateHz,
    channels,
    channelConfiguration,
    samplesPerFrame,
  };
}

function readObjectType(reader: BitReader): number {
  const type = reader.bits(5);
  return type === 31 ? 32 + reader.bits(6) : type;
}

function readSampleRate(reader: BitReader): { index: number; sampleRateHz: number } {
  const index = reader.bits(4);
  const sampleRateHz = index === writtenOutRate ? reader.bits(24) : sampleRates[index];
  if (sampleRateHz === undefined || sampleRateHz < 1000 || sampleRateHz > 192_000) {
    throw new MediaFormatError(`AAC configuration has the sample rate ${sampleRateHz ?? `index ${index}`}.`);
  }
  return { index, sampleRateHz };
}

function channelCount(configuration: number): number {
  const counts = [0, 1, 2, 3, 4, 5, 6, 8, 0, 0, 0, 7, 8, 24, 8];
  const channels = counts[configuration];
  if (!channels) throw new MediaFormatError(`AAC channel configuration ${configuration} is reserved.`);
  return channels;
}

/** Counts the channels of a program_config_element (§4.4.1.1). */
function readProgramConfigChannels(reader: BitReader): number {
  reader.skip(4 + 2 + 4);
  const front = reader.bits(4);
  const side = reader.bits(4);
  const back = reader.bits(4);
  const lowFrequency = reader.bits(2);
  const associatedData = reader.bits(3);
  const coupling = reader.bits(4);
  if (reader.flag()) reader.skip(4);
  if (reader.flag()) reader.skip(4);
  if (reader.flag()) reader.skip(3);
  let channels = lowFrequency;
  for (let element = 0; element < front + side + back; element += 1) {
    channels += reader.flag() ? 2 : 1;
    reader.skip(4);
  }
  reader.skip(4 * (lowFrequency + associatedData) + 5 * coupling);
  reader.align();
  reader.skip(8 * reader.bits(8));
  if (channels === 0) throw new MediaFormatError('AAC configuration has no channel.');
  return channels;
}

/** Reads SBR and PS appended where old decoders do not look (§1.6.6.1). */
function readCompatibleExtension(reader: BitReader): { sampleRateHz: number; stereo: boolean } | undefined {
  if (reader.bits(11) !== 0x2b7 || readObjectType(reader) !== spectralBandReplication) return undefined;
  if (reader.bitsLeft < 1 || !reader.flag()) return undefined;
  const { sampleRateHz } = readSampleRate(reader);
  const stereo = reader.bitsLeft >= 12 && reader.bits(11) === 0x548 && reader.flag();
  return { sampleRateHz, stereo };
}
