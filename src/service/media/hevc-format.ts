import { formatBox } from './fmp4-box.ts';
import { completeArrays, type HevcConfig, inspectHevcPicture, parseHevcConfig } from './hevc.ts';
import type { VideoConfig, VideoFormat } from './track-config.ts';

/** The configuration of an HEVC track. */
export type HevcTrackConfig = VideoConfig & HevcConfig;

/** The highest usual `general_profile_idc`: up to it are Main, Main 10 and Main Still Picture, all in 4:2:0 (ISO/IEC 23008-2 annex A). */
const lastUsualProfile = 3;

/** HEVC in NAL units with length prefixes, all parameter sets in the sample entry (ISO/IEC 14496-15 §8). */
export const hevcFormat: VideoFormat<HevcTrackConfig> = {
  name: 'HEVC',
  fourCc: 'hvc1',
  reorders: true,
  sample: {
    record: Buffer.from(
      '0101600000009000000000001ef000fcfdf8f800000f03200001001840010c01ffff01600000030090000003000003001e959409' +
        '210001002942010101600000030090000003000003001ea0208105965654a4c2f01680800000030080000003008422000100064401c073c089',
      'hex',
    ),
    frame: Buffer.from('0000000d2801ac4ed71ffff5de9cafeaf8', 'hex'),
  },
  parseRecord(record) {
    const config = parseHevcConfig(record);
    return { track: 'video', format: hevcFormat, hasRareProfile: (record.readUInt8(1) & 0x1f) > lastUsualProfile, ...config };
  },
  formatConfigBox: (config) => formatBox('hvcC', completeArrays(config)),
  findRecord: (boxes) => boxes.find(({ type }) => type === 'hvcC')?.content,
  inspect: inspectHevcPicture,
};
