import { defaultIngestBounds } from '../../service/config.ts';
import { FlvReader } from '../../service/flv/flv-file.ts';
import type { FlvTag } from '../../service/flv/flv-tag.ts';
import { UnitReader } from '../../service/flv/unit-reader.ts';
import { MediaFormatError } from '../../service/media/media-format-error.ts';
import { ChunkReader } from '../../service/rtmp/chunk-reader.ts';
import { withoutAmf3Prefix } from '../../service/rtmp/commands.ts';
import { createServerHandshake } from '../../service/rtmp/handshake.ts';
import { messageType, type RtmpMessage } from '../../service/rtmp/messages.ts';
import { isMetadata, parseMetadataValues, unwrapDataFrame } from '../../service/rtmp/script-data.ts';
import { describeUnit, type InspectedLine } from './inspected-line.ts';

/** The bytes of a file, in order and in pieces of any size. */
export type FileBytes = AsyncIterable<Buffer>;

const { maxMessageBytes } = defaultIngestBounds;
const chunkBounds = { maxMessageBytes, maxChunkStreams: 64, maxPartialBytes: 2 * maxMessageBytes };

/** Inspects an FLV file. @throws {MediaFormatError} when the rest cannot be read */
export async function* inspectFlv(bytes: FileBytes): AsyncGenerator<InspectedLine> {
  const file = new FlvReader();
  const reader = new UnitReader();
  for await (const piece of bytes) {
    for (const tag of file.cut(piece)) yield describeTag(tag, reader);
  }
  if (!file.hasHeader) throw new MediaFormatError('The file ends inside its header.');
  if (file.unfinishedBytes > 0) {
    throw new MediaFormatError(`The file ends inside a tag, after ${file.unfinishedBytes} bytes of it.`);
  }
}

/**
 * Inspects a publisher's bytes, starting with the first byte of its handshake. Commands are omitted: one of them has the stream key.
 *
 * @throws {RtmpProtocolError} when the rest cannot be read
 * @throws {MediaFormatError} when the file is truncated
 */
export async function* inspectRtmp(bytes: FileBytes): AsyncGenerator<InspectedLine> {
  const handshake = createServerHandshake();
  const reader = new UnitReader();
  const messages: RtmpMessage[] = [];
  const chunks = new ChunkReader(chunkBounds, (message) => messages.push(message));
  let isShaken = false;
  for await (const piece of bytes) {
    const media = isShaken ? piece : handshake.push(piece).rest;
    if (media === undefined) continue;
    isShaken = true;
    try {
      chunks.push(media);
    } finally {
      // Show messages before a fault before reporting it.
      for (const message of messages.splice(0)) yield* describeMessage(message, reader);
    }
  }
  if (!isShaken) throw new MediaFormatError('The file ends inside the handshake.');
  if (chunks.isMidMessage) throw new MediaFormatError('The file ends inside a message.');
}

function* describeMessage({ typeId, timestampMs, payload }: RtmpMessage, reader: UnitReader): Generator<InspectedLine> {
  switch (typeId) {
    case messageType.audio:
      yield describeTag({ kind: 'audio', timestampMs, body: payload }, reader);
      return;
    case messageType.video:
      yield describeTag({ kind: 'video', timestampMs, body: payload }, reader);
      return;
    case messageType.dataAmf0:
      yield describeTag({ kind: 'script', timestampMs, body: payload }, reader);
      return;
    case messageType.dataAmf3:
      yield describeTag({ kind: 'script', timestampMs, body: withoutAmf3Prefix(payload) }, reader);
      return;
  }
}

function describeTag(tag: FlvTag, reader: UnitReader): InspectedLine {
  const { kind, timestampMs, body } = tag;
  const leftOut = (sentence: string): InspectedLine => ({
    kind: 'left-out',
    what: kind,
    timestampMs,
    sizeBytes: body.length,
    sentence,
  });
  if (kind === 'script') {
    const script = unwrapDataFrame(body) ?? Buffer.alloc(0);
    const metadata = parseMetadataValues(script);
    if (metadata) return { kind: 'metadata', timestampMs, values: toPlain(metadata) };
    return leftOut(isMetadata(script) ? 'Its metadata is too large or malformed.' : 'It has no metadata.');
  }
  try {
    const read = reader.read(tag);
    switch (read.kind) {
      case 'unit':
        return describeUnit(read.unit);
      case 'unsupported':
        return leftOut(`${read.what} is not supported.`);
      case 'nothing':
        return leftOut('It has no media.');
      case 'idle':
        return leftOut('Repeated parameters, or media before its parameters.');
      case 'no-picture':
        return leftOut('It has no picture.');
      case 'end-of-sequence':
        return leftOut('An end of sequence.');
    }
  } catch (error) {
    if (!(error instanceof MediaFormatError)) throw error;
    return leftOut(error.message);
  }
}

/** Converts the values to JSON types: AMF0's ECMA arrays are maps. */
function toPlain(values: Iterable<readonly [string, unknown]>): Record<string, unknown> {
  return Object.fromEntries([...values].map(([name, value]) => [name, value instanceof Map ? toPlain(value) : value]));
}
