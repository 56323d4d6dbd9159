import type { EncodeFailure } from '../../shared/model/encode-failure.ts';
import { explainExit, type FfmpegEnd } from '../media-tools/ffmpeg-process.ts';

/** The meanings of an encoder's last lines; the first match wins. */
const meanings = [
  [/Unknown encoder '?libx264/, 'no-x264'],
  [/Cannot allocate memory/, 'out-of-memory'],
] as const;

/** Why an encoder ended, from its exit and the last lines of its stderr. */
export function explainEncoderEnd(end: FfmpegEnd): EncodeFailure {
  const text = end.stderr.join('\n');
  const meaning = meanings.find(([pattern]) => pattern.test(text));
  return meaning ? { code: meaning[1] } : explainExit(end);
}
