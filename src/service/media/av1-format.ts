import { type Av1Config, inspectTemporalUnit, parseAv1Config } from './av1.ts';
import { formatBox } from './fmp4-box.ts';
import type { VideoConfig, VideoFormat } from './track-config.ts';
import { squareSamples } from './video-usability.ts';

/** The configuration of an AV1 track. */
export type Av1TrackConfig = VideoConfig & Av1Config;

/** AV1 in temporal units (AV1 §7.5). */
export const av1Format: VideoFormat<Av1TrackConfig> = {
  name: 'AV1',
  fourCc: 'av01',
  brand: 'av01',
  // Each temporal unit shows one picture, in order.
  reorders: false,
  sample: {
    record: Buffer.from('81000c000a0a00000002afff9b5f2008', 'hex'),
    frame: Buffer.from('0a0a00000002afff9b5f2008321110009000082082200000b45554eaa7d12f', 'hex'),
  },
  parseRecord(record) {
    const config = parseAv1Config(record);
    // Only Main, 0, is usual (AV1 annex A).
    const hasRareProfile = record.readUInt8(1) >> 5 !== 0;
    // The sample aspect is only in frame headers.
    return { track: 'video', format: av1Format, sampleAspect: squareSamples, hasRareProfile, ...config };
  },
  formatConfigBox: ({ record }) => formatBox('av1C', record),
  findRecord: (boxes) => boxes.find(({ type }) => type === 'av1C')?.content,
  inspect: inspectTemporalUnit,
};
