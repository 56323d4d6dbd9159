import { formatBox } from './fmp4-box.ts';
import { completeArrays, findHevcIndependence, type HevcConfig, parseHevcConfig } from './hevc.ts';
import { MediaFormatError } from './media-format-error.ts';
import type { VideoConfig, VideoFormat } from './track-config.ts';

/** The configuration of an HEVC track. */
export type HevcTrackConfig = VideoConfig & HevcConfig;

/** HEVC in NAL units with length prefixes, all parameter sets in the sample entry (ISO/IEC 14496-15 §8). */
export const hevcFormat: VideoFormat<HevcTrackConfig> = {
  name: 'HEVC',
  fourCc: 'hvc1',
  parseRecord: (record) => ({ track: 'video', format: hevcFormat, ...parseHevcConfig(record) }),
  formatConfigBox: (config) => formatBox('hvcC', completeArrays(config)),
  findRecord: (boxes) => boxes.find(({ type }) => type === 'hvcC')?.content,
  inspect(data, { nalLengthBytes }) {
    const independent = findHevcIndependence(data, nalLengthBytes);
    if (independent === undefined) throw new MediaFormatError('A video frame has broken NAL unit lengths.');
    return { independent };
  },
};
