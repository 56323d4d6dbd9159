import { eachBoxHeader, findBox } from '../../service/media/fmp4-reader.ts';
import { CommandFailure } from '../command-failure.ts';
import type { FileBytes } from './inspect-tags.ts';

/**
 * Reads fMP4 to its end. An MP4 without fragments is refused as soon as its media begins, since that may be larger than the memory.
 *
 * @throws {CommandFailure} with `status`, for an MP4 without fragments
 */
export async function readFragmented(path: string, bytes: FileBytes, status: number): Promise<Buffer> {
  const pieces: Buffer[] = [];
  const join = () => {
    const read = Buffer.concat(pieces);
    if (isPlain(read)) throw new CommandFailure(status, `${path} is an MP4 file without fragments, not an fMP4 segment.`);
    return read;
  };
  let sizeBytes = 0;
  let joinAtBytes = 0;
  for await (const piece of bytes) {
    pieces.push(piece);
    sizeBytes += piece.length;
    if (sizeBytes < joinAtBytes) continue;
    // Twice as many each time, so that all joins together cost no more than reading.
    joinAtBytes = 2 * sizeBytes;
    join();
  }
  return join();
}

/** Whether a file that begins with these bytes has media (`mdat`) before anything announces fragments (ISO/IEC 14496-12 §8.8). */
function isPlain(bytes: Buffer): boolean {
  for (const { type, position, headerBytes, sizeBytes } of eachBoxHeader(bytes)) {
    if (type === 'mdat') return true;
    if (type === 'moof') return false;
    const end = position + sizeBytes;
    // Some recorders put samples that the moov describes before the first fragment.
    if (type === 'moov' && end <= bytes.length && findBox(bytes.subarray(position + headerBytes, end), 'mvex')) return false;
  }
  return false;
}
