import { createReadStream } from 'node:fs';
import { codeOf } from '../../service/lib/read-error.ts';
import { MediaFormatError } from '../../service/media/media-format-error.ts';
import { RtmpProtocolError } from '../../service/rtmp/protocol-error.ts';
import { CommandFailure } from '../command-failure.ts';
import { inspectFmp4 } from './inspect-fmp4.ts';
import { type FileBytes, inspectFlv, inspectRtmp } from './inspect-tags.ts';
import type { InspectedLine } from './inspected-line.ts';
import { readFragmented } from './read-fragmented.ts';

/** Boxes that an init segment or a media segment may start with. */
const firstBoxes: readonly string[] = ['ftyp', 'styp', 'moov', 'moof', 'sidx', 'emsg', 'prft', 'free'];
/** C0 of an RTMP handshake (RTMP 1.0 §5.2.2). */
const rtmpVersion = 3;
const unknownStatus = 2;

/**
 * Reads everything in a media file, in order: an FLV, an RTMP capture (the bytes a publisher sent, starting with its handshake) or fMP4.
 *
 * @param initPath the init segment of a media segment, if the file does not contain it
 * @throws {CommandFailure} with status 2 when the file cannot be opened or has another format, with 1 when it becomes unreadable
 */
export async function* inspectFile(path: string, initPath?: string): AsyncGenerator<InspectedLine> {
  const { kind, head, bytes } = await recognizeFile(path);
  if (initPath !== undefined && kind !== 'fMP4')
    throw new CommandFailure(unknownStatus, `--init only applies to fMP4; ${path} is ${kind}.`);
  try {
    switch (kind) {
      case 'FLV':
        yield* inspectFlv(joined(head, bytes));
        return;
      case 'RTMP':
        yield* inspectRtmp(joined(head, bytes));
        return;
      case 'fMP4': {
        const init = initPath === undefined ? Buffer.alloc(0) : await readInit(initPath);
        yield* inspectFmp4(await readFragmented(path, joined(head, bytes), unknownStatus), init);
        return;
      }
    }
  } catch (error) {
    if (!(error instanceof MediaFormatError || error instanceof RtmpProtocolError)) throw error;
    throw new CommandFailure(1, `Cannot read the rest of ${path}. ${error.message}`, { cause: error });
  }
}

async function recognizeFile(path: string) {
  const bytes = openFile(path);
  const { value: head = Buffer.alloc(0) } = await bytes.next();
  const kind = recognize(head);
  if (kind === undefined) throw new CommandFailure(unknownStatus, `${path} is not an FLV file, RTMP capture or fMP4 segment.`);
  return { kind, head, bytes };
}

/** The format of a file that starts with these bytes. */
function recognize(head: Buffer): 'FLV' | 'RTMP' | 'fMP4' | undefined {
  if (head.toString('latin1', 0, 3) === 'FLV') return 'FLV';
  if (head[0] === rtmpVersion) return 'RTMP';
  return firstBoxes.includes(head.toString('latin1', 4, 8)) ? 'fMP4' : undefined;
}

async function readInit(path: string): Promise<Buffer> {
  const bytes = await readFragmented(path, openFile(path), unknownStatus);
  if (recognize(bytes) !== 'fMP4') throw new CommandFailure(unknownStatus, `${path} is not an fMP4 init segment.`);
  return bytes;
}

async function* openFile(path: string): AsyncGenerator<Buffer, void, undefined> {
  try {
    for await (const piece of createReadStream(path)) yield piece as Buffer;
  } catch (error) {
    const code = codeOf(error);
    if (code === undefined) throw error;
    const sentence = code === 'ENOENT' ? `${path} does not exist.` : `Cannot read ${path} (${code}).`;
    throw new CommandFailure(unknownStatus, sentence, { cause: error });
  }
}

async function* joined(head: Buffer, rest: AsyncIterable<Buffer>): FileBytes {
  yield head;
  yield* rest;
}
