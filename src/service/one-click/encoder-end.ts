import type { EncodeFailure } from '../../shared/model/encode-failure.ts';
import { findFfmpegInstallCommand } from '../media-tools/ffmpeg-install-command.ts';
import { explainExit, type FfmpegEnd } from '../media-tools/ffmpeg-process.ts';

/** Why an encoder ended, from its exit and the last lines of its stderr. */
export function explainEncoderEnd(end: FfmpegEnd): EncodeFailure {
  const text = end.stderr.join('\n');
  if (/Unknown encoder '?libx264/.test(text)) return { code: 'no-x264', installCommand: findFfmpegInstallCommand('full') };
  if (text.includes('Cannot allocate memory')) return { code: 'out-of-memory' };
  return explainExit(end);
}
