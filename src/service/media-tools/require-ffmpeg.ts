import { ServiceError } from '../../shared/errors.ts';
import type { ServiceInfo } from '../../shared/model/views.ts';

/**
 * The path of the ffmpeg that was found.
 *
 * @throws {ServiceError} FFMPEG_NOT_FOUND, with the reason
 */
export function requireFfmpeg(ffmpeg: ServiceInfo['ffmpeg']): string {
  if (ffmpeg.kind === 'found') return ffmpeg.path;
  throw new ServiceError('FFMPEG_NOT_FOUND', 'ffmpeg is not available.', { details: { missingFfmpeg: ffmpeg.reason } });
}
