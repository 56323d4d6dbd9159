import { z } from 'zod';
import { TrackKind } from './model/track-kind.ts';

/** Path of the sockets that take what pages capture. */
export const capturePath = '/capture';
/** The first of the two subprotocols that a page offers: the service agrees to this one (RFC 6455 §4.2.2). */
export const captureProtocol = 'tallylight-capture';
/** The second begins with this, followed by the ticket. */
export const ticketProtocol = 'ticket.';

/** A message from a capture page, as JSON: how a track is doing. The system mutes a track that is covered, locked or switched off. */
export const CaptureNews = z.object({
  kind: z.literal('track'),
  track: TrackKind,
  state: z.enum(['live', 'muted', 'ended']),
});
export type CaptureNews = z.infer<typeof CaptureNews>;

/**
 * A message from the service, as JSON: `want`, the media in use now; `took`, how many pictures have arrived since the socket opened; and
 * `again`, that no picture, or none of a microphone's sound, has arrived for seconds. A page sends pictures of exactly the wanted size,
 * with at most two that have not arrived. A screen that doesn't change yields no new pictures: then `again` asks for the last one.
 */
export const CaptureWish = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('want'),
    video: z.object({ width: z.int(), height: z.int(), fps: z.number().positive() }).optional(),
    audio: z.boolean(),
  }),
  z.object({ kind: z.literal('took'), frames: z.int() }),
  z.object({ kind: z.literal('again') }),
]);
export type CaptureWish = z.infer<typeof CaptureWish>;

/** The most pictures under way that the service hasn't taken yet. */
export const maxUntakenPictures = 2;

/**
 * A captured picture or sound, as a binary message. Numbers are little endian:
 *
 *     0  u8   1: a picture in I420, 2: a sound
 *     4  u16  width and
 *     6  u16  height in pixels; of a sound 0
 *     8       Y, U and V without padding; or s16le, 48 kHz, stereo
 */
const headerBytes = 8;
const pictureKind = 1;
const soundKind = 2;

/** A captured picture, or a piece of captured sound. */
export type CapturedMedia<Bytes extends Uint8Array> =
  | { kind: 'picture'; width: number; height: number; bytes: Bytes }
  | { kind: 'sound'; bytes: Bytes };

/** The message for a picture (I420, even sides) or a sound (s16le, 48 kHz, stereo). Copies the bytes. */
export function formatCapturedMedia(media: CapturedMedia<Uint8Array>): ArrayBuffer {
  const message = new ArrayBuffer(headerBytes + media.bytes.length);
  const view = new DataView(message);
  view.setUint8(0, media.kind === 'picture' ? pictureKind : soundKind);
  if (media.kind === 'picture') {
    view.setUint16(4, media.width, true);
    view.setUint16(6, media.height, true);
  }
  new Uint8Array(message).set(media.bytes, headerBytes);
  return message;
}

/** The media of a message, without copying them; undefined if it is none, or not as long as it should be. */
export function parseCapturedMedia<Bytes extends Uint8Array>(message: Bytes): CapturedMedia<Bytes> | undefined {
  if (message.length < headerBytes) return undefined;
  const view = new DataView(message.buffer, message.byteOffset, headerBytes);
  const bytes = message.subarray(headerBytes) as Bytes;
  const [width, height] = [view.getUint16(4, true), view.getUint16(6, true)];
  switch (view.getUint8(0)) {
    case pictureKind: {
      const isWhole =
        width > 0 && height > 0 && width % 2 === 0 && height % 2 === 0 && bytes.length === (width * height * 3) / 2;
      return isWhole ? { kind: 'picture', width, height, bytes } : undefined;
    }
    case soundKind:
      return bytes.length % 4 === 0 ? { kind: 'sound', bytes } : undefined;
    default:
      return undefined;
  }
}
