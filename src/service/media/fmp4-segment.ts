import { ascii, formatBox } from './fmp4-box.ts';
import { mediaBlocks } from './media-blocks.ts';

/** One access unit of a track. Times in ticks of the track's timescale. */
export interface FragmentSample {
  data: Buffer;
  duration: number;
  /** pts minus dts; may be negative. */
  compositionOffset: number;
  /** Whether a decoder can start here. */
  sync: boolean;
}

/** The samples of one track in one fragment. */
export interface FragmentTrack {
  trackId: number;
  /** dts of the first sample, in ticks, at least 0. */
  baseDecodeTime: number;
  samples: readonly FragmentSample[];
}

const segmentType = formatBox('styp', ascii('msdh'), Buffer.alloc(4), ascii('msdhiso6'));

// sample_flags: depends on no other sample; or depends on others and is not a sync sample (ISO/IEC 14496-12 §8.8.3.1).
const syncSampleFlags = 0x02000000;
const dependentSampleFlags = 0x01010000;

// tfhd and trun flags (§8.8.7, §8.8.8).
const defaultBaseIsMoof = 0x020000;
const trunFields = 0x000001 | 0x000100 | 0x000200 | 0x000400 | 0x000800;
const bytesPerSample = 16;

const trackOverheadBytes = 8 + 16 + 20 + 20;

/**
 * Formats a fragment: `moof` and `mdat` (ISO/IEC 14496-12 §8.8), preceded by `styp` at the start of a segment (§8.16.2). Each sample's
 * bytes are copied once, into a block of {@link mediaBlocks}.
 *
 * `tfdt` and `trun` have version 1: 64-bit decode times and signed composition offsets.
 */
export function formatFragment(
  sequenceNumber: number,
  tracks: readonly FragmentTrack[],
  { segmentStarts }: { segmentStarts: boolean },
): Buffer {
  const moofBytes = 8 + 16 + tracks.reduce((sum, { samples }) => sum + trackOverheadBytes + samples.length * bytesPerSample, 0);
  const mediaBytes = tracks.reduce((sum, { samples }) => sum + samples.reduce((bytes, { data }) => bytes + data.length, 0), 0);
  const moofStart = segmentStarts ? segmentType.length : 0;
  const output = mediaBlocks.take(moofStart + moofBytes + 8 + mediaBytes);
  if (segmentStarts) segmentType.copy(output, 0);
  let position = moofStart;
  const word = (value: number) => {
    position = output.writeUInt32BE(value, position);
  };
  const box = (sizeBytes: number, type: string) => {
    word(sizeBytes);
    position += output.write(type, position, 'latin1');
  };

  box(moofBytes, 'moof');
  box(16, 'mfhd');
  word(0);
  word(sequenceNumber);
  let dataOffset = moofBytes + 8;
  for (const { trackId, baseDecodeTime, samples } of tracks) {
    const trunBytes = 20 + samples.length * bytesPerSample;
    box(8 + 16 + 20 + trunBytes, 'traf');
    box(16, 'tfhd');
    word(defaultBaseIsMoof);
    word(trackId);
    box(20, 'tfdt');
    word(0x01000000);
    position = output.writeBigUInt64BE(BigInt(baseDecodeTime), position);
    box(trunBytes, 'trun');
    word(0x01000000 | trunFields);
    word(samples.length);
    position = output.writeInt32BE(dataOffset, position);
    for (const { data, duration, compositionOffset, sync } of samples) {
      word(duration);
      word(data.length);
      word(sync ? syncSampleFlags : dependentSampleFlags);
      position = output.writeInt32BE(compositionOffset, position);
      dataOffset += data.length;
    }
  }
  box(8 + mediaBytes, 'mdat');
  for (const { samples } of tracks) {
    for (const { data } of samples) position += data.copy(output, position);
  }
  return output;
}
