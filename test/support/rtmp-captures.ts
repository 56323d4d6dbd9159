import { readFileSync } from 'node:fs';
import type { FlvTag } from '../../src/service/media/flv-tag.ts';

/** The captures of real publishers in test/fixtures/rtmp, whose README tells how they were made. */
export const captureNames = ['ffmpeg', 'ffmpeg-b-frames', 'ffmpeg-extended-timestamps', 'gstreamer', 'obs'] as const;
export type CaptureName = (typeof captureNames)[number];

/** C0, C1 and C2: what a capture opens with. */
export const clientHandshakeBytes = 1 + 1536 + 1536;

/** Everything the publisher sent, from its first byte. */
export function readCapture(name: CaptureName): Buffer {
  return readFileSync(new URL(`../fixtures/rtmp/${name}.rtmp-capture`, import.meta.url));
}

/** The tags that are in the capture, one `kind timestampMs sizeBytes` per line. */
export function readCaptureTags(name: CaptureName): string {
  return readFileSync(new URL(`../fixtures/rtmp/${name}.tags.txt`, import.meta.url), 'utf8');
}

/** The same form for any tags. */
export function describeTags(tags: readonly FlvTag[]): string {
  return tags.map(({ kind, timestampMs, body }) => `${kind} ${timestampMs} ${body.length}\n`).join('');
}
