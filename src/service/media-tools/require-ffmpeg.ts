import { ServiceError } from '../../shared/errors.ts';
import type { ServiceInfo } from '../../shared/model/views.ts';

/**
 * The path of the ffmpeg that was found.
 *
 * @throws {ServiceError} FFMPEG_NOT_FOUND, with why none was found
 */
export function requireFfmpeg(ffmpeg: ServiceInfo['ffmpeg']): string {
  if (ffmpeg.kind === 'found') return ffmpeg.path;
  throw new ServiceError('FFMPEG_NOT_FOUND', 'There is no ffmpeg.', { details: { missingFfmpeg: ffmpeg.reason } });
}
