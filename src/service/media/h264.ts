import { parseSps, type SequenceParameters } from './h264-sps.ts';
import { MediaFormatError } from './media-format-error.ts';
import { isSlice, type NalLengthBytes, nalType, surveyNalHeaders } from './nal-unit.ts';

/** What a decoder needs to know about an H.264 track. */
export interface H264Config extends SequenceParameters {
  /** The AVCDecoderConfigurationRecord itself, copied: the payload of an `avcC` box. */
  record: Buffer;
  /** RFC 6381 codec string, `avc1.PPCCLL` in lowercase hexadecimal. */
  codec: string;
  nalLengthBytes: NalLengthBytes;
  /** The id of the picture parameter set for our own pictures, if one was added. */
  ownParametersId?: number;
}

/**
 * Parses an AVCDecoderConfigurationRecord (ISO/IEC 14496-15 §5.3.3.1) and its first sequence parameter set.
 *
 * @throws {MediaFormatError} when it is malformed or has no parameter sets
 */
export function parseH264Config(bytes: Buffer): H264Config {
  if (bytes.length < 7) throw new MediaFormatError(`AVC configuration of ${bytes.length} bytes is too short.`);
  if (bytes.readUInt8(0) !== 1) throw new MediaFormatError(`AVC configuration version ${bytes.readUInt8(0)} is unknown.`);
  const nalLengthBytes = (bytes.readUInt8(4) & 3) + 1;
  if (nalLengthBytes === 3) throw new MediaFormatError('AVC configuration has length prefixes of 3 bytes.');
  const { sequence } = findParameterSets(bytes);
  return {
    ...parseSps(sequence),
    record: Buffer.from(bytes),
    codec: `avc1.${bytes.toString('hex', 1, 4)}`,
    nalLengthBytes: nalLengthBytes as NalLengthBytes,
  };
}

/** The parameter sets of an AVCDecoderConfigurationRecord and their positions. */
export interface ParameterSets {
  /** The first sequence parameter set. */
  sequence: Buffer;
  picture: Buffer[];
  /** Offset of the number of picture parameter sets, and of the end of the last one. */
  pictureCountAt: number;
  pictureEnd: number;
}

/**
 * Finds the parameter sets of an AVCDecoderConfigurationRecord; they are views.
 *
 * @throws {MediaFormatError} when there are none, or they are incomplete
 */
export function findParameterSets(record: Buffer): ParameterSets {
  const sequence = readParameterSets(record, 6, record.readUInt8(5) & 0x1f);
  const first = sequence.sets[0];
  if (first === undefined) throw new MediaFormatError('AVC configuration has no sequence parameter set.');
  if (sequence.end >= record.length) throw new MediaFormatError('AVC configuration has no picture parameter set.');
  const picture = readParameterSets(record, sequence.end + 1, record.readUInt8(sequence.end));
  if (picture.sets.length === 0) throw new MediaFormatError('AVC configuration has no picture parameter set.');
  return { sequence: first, picture: picture.sets, pictureCountAt: sequence.end, pictureEnd: picture.end };
}

function readParameterSets(bytes: Buffer, start: number, count: number): { sets: Buffer[]; end: number } {
  const sets: Buffer[] = [];
  let position = start;
  for (let index = 0; index < count; index += 1) {
    if (position + 2 > bytes.length) throw new MediaFormatError('AVC configuration ends inside its parameter sets.');
    const end = position + 2 + bytes.readUInt16BE(position);
    if (end > bytes.length) throw new MediaFormatError('AVC configuration ends inside a parameter set.');
    sets.push(bytes.subarray(position + 2, end));
    position = end;
  }
  return { sets, end: position };
}

/** The facts that the NAL unit headers of an access unit show. */
export interface NalSurvey {
  /** Whether it has a coded slice. */
  hasPicture: boolean;
  /** Whether it is an IDR picture: no later frame depends on anything before it (ISO/IEC 14496-10 §3.69). */
  isIdr: boolean;
  /** Whether it has supplemental enhancement information. */
  hasMessages: boolean;
  /** Whether it has empty NAL units. */
  hasEmptyUnits: boolean;
}

/** Inspects the header of each NAL unit of an access unit; undefined if {@link surveyNalHeaders} finds it malformed. */
export function surveyNalUnits(data: Buffer, nalLengthBytes: NalLengthBytes): NalSurvey | undefined {
  const survey = { hasPicture: false, isIdr: false, hasMessages: false, hasEmptyUnits: false };
  const structure = surveyNalHeaders(data, nalLengthBytes, (firstByte) => {
    const type = firstByte & 0x1f;
    survey.hasPicture ||= isSlice({ type });
    survey.isIdr ||= type === nalType.idrSlice;
    survey.hasMessages ||= type === nalType.supplementalInformation;
  });
  survey.hasEmptyUnits = structure === 'padded';
  return structure === 'broken' ? undefined : survey;
}
