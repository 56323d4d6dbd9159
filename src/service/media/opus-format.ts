import { formatBox, uint8, uint16, uint32 } from './fmp4-box.ts';
import { formatSilentPacket, measureOpusPacket, type OpusConfig, opusRateHz, parseOpusHead, silentSamples } from './opus.ts';
import type { AudioConfig, AudioFormat } from './track-config.ts';

/** Offset of the channel mapping in `dOps`, after its family. */
const mappingAt = 11;

/** The configuration of an Opus track. */
export type OpusTrackConfig = AudioConfig & OpusConfig;

/** Opus in packets (RFC 6716 §3). */
export const opusFormat: AudioFormat<OpusTrackConfig> = {
  name: 'Opus',
  fourCc: 'Opus',
  sample: { record: Buffer.from('4f707573486561640101380180bb0000000000', 'hex'), frame: Buffer.from('f8fffe', 'hex') },
  parseRecord: (record) => ({
    ...parseOpusHead(record),
    track: 'audio',
    format: opusFormat,
    // Registered for MP4 (RFC 6381 §3.3, MP4RA) is `Opus`, but for years Chromium's MediaSource took only `opus`. hls.js and shaka-player
    // turn either into what their browser takes, and Safari, which wants `Opus`, isn't known to play Opus in HLS.
    codec: 'opus',
    timescale: opusRateHz,
    sampleRateHz: opusRateHz,
    samplesPerFrame: silentSamples,
  }),
  /** Encapsulation of Opus in ISO BMFF §4.3.2: the ID header's fields, big-endian. */
  formatConfigBox({ channels, preSkip, inputRateHz, outputGain, mapping }) {
    const { family, streams, coupled, table } = mapping;
    return formatBox(
      'dOps',
      uint8(0, channels),
      uint16(preSkip),
      uint32(inputRateHz),
      uint16(outputGain & 0xffff),
      uint8(family),
      table === undefined ? [] : [uint8(streams, coupled), table],
    );
  },
  findRecord(boxes) {
    const box = boxes.find(({ type }) => type === 'dOps');
    return box && readIdHeader(box.content);
  },
  measureFrame: (packet) => measureOpusPacket(packet),
  makeSilence: formatSilentPacket,
  playsEverywhere: () => false,
};

/** Restores the ID header from the content of a `dOps`; undefined if it is malformed. */
function readIdHeader(content: Buffer): Buffer | undefined {
  if (content.length < mappingAt || content.readUInt8(0) !== 0) return undefined;
  const fields = Buffer.alloc(11);
  fields.writeUInt8(1, 0);
  fields.writeUInt8(content.readUInt8(1), 1);
  fields.writeUInt16LE(content.readUInt16BE(2), 2);
  fields.writeUInt32LE(content.readUInt32BE(4), 4);
  fields.writeInt16LE(content.readInt16BE(8), 8);
  fields.writeUInt8(content.readUInt8(10), 10);
  return Buffer.concat([Buffer.from('OpusHead'), fields, content.subarray(mappingAt)]);
}
