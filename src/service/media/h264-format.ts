import { formatBox } from './fmp4-box.ts';
import { type H264Config, parseH264Config, surveyNalUnits } from './h264.ts';
import { makeBlackPicture } from './h264-black.ts';
import { findCaptureStamp, insertCaptureStamp } from './h264-capture-stamp.ts';
import { addOwnParameters } from './h264-parameters.ts';
import { markKeyframe } from './h264-recovery-point.ts';
import { makeStill } from './h264-still.ts';
import { MediaFormatError } from './media-format-error.ts';
import { isDisposable, withoutEmptyUnits } from './nal-unit.ts';
import type { VideoConfig, VideoFormat } from './track-config.ts';

/** The configuration of an H.264 track. */
export type H264TrackConfig = VideoConfig & H264Config;

/** The usual values of `profile_idc`: Baseline, Main and High, which have 8 bits and no more colour than 4:2:0 (ISO/IEC 14496-10 annex A). */
const usualProfiles: ReadonlySet<number> = new Set([66, 77, 100]);

/** H.264 in NAL units with length prefixes (ISO/IEC 14496-15 §5). */
export const h264Format: VideoFormat<H264TrackConfig> = {
  name: 'H.264',
  fourCc: 'avc1',
  reorders: true,
  parseRecord(record) {
    const config = parseH264Config(record);
    const hasRareProfile = !usualProfiles.has(record.readUInt8(1));
    return { track: 'video', format: h264Format, mayBeInterlaced: !config.coding.framesOnly, hasRareProfile, ...config };
  },
  formatConfigBox: ({ record }) => formatBox('avcC', record),
  findRecord: (boxes) => boxes.find(({ type }) => type === 'avcC')?.content,
  inspect(data, { nalLengthBytes }) {
    const survey = surveyNalUnits(data, nalLengthBytes);
    if (survey === undefined) throw new MediaFormatError('A video frame has broken NAL unit lengths.');
    if (!survey.hasPicture) return undefined;
    const captured = survey.hasMessages ? findCaptureStamp(data, nalLengthBytes) : undefined;
    const facts = { independent: survey.isIdr, ...(captured && { captured }) };
    return survey.hasEmptyUnits ? { ...facts, sample: withoutEmptyUnits(data, nalLengthBytes) } : facts;
  },
  isDisposable: (data, { nalLengthBytes }) => isDisposable(data, nalLengthBytes),
  holding: { prepare: addOwnParameters, makeStill, makeBlack: makeBlackPicture },
  markKeyframe: (data, { nalLengthBytes }) => markKeyframe(data, nalLengthBytes),
  insertCaptureStamp: (data, { nalLengthBytes }, stamp) => insertCaptureStamp(data, nalLengthBytes, stamp),
};
