import { readFileSync } from 'node:fs';

/** The captures of real publishers in test/fixtures/rtmp; its README says how they were made. */
export const captureNames = ['ffmpeg', 'ffmpeg-b-frames', 'ffmpeg-extended-timestamps', 'gstreamer', 'obs'] as const;
export type CaptureName = (typeof captureNames)[number];

/** C0, C1 and C2: the start of a capture. */
export const clientHandshakeBytes = 1 + 1536 + 1536;

/** Everything the publisher sent, from its first byte. */
export function readCapture(name: CaptureName): Buffer {
  return readFileSync(new URL(`../fixtures/rtmp/${name}.rtmp-capture`, import.meta.url));
}

/** The capture according to other programs: `kind timestampMs sizeBytes` of each FLV tag. */
export function readCaptureTags(name: CaptureName): string[] {
  return readFileSync(new URL(`../fixtures/rtmp/${name}.tags.txt`, import.meta.url), 'utf8')
    .trim()
    .split('\n');
}

/** The ingest's output for the capture: `kind timestampMs sizeBytes` of each tag, as an ingest stand records units; `metadata`. */
export function readCaptureMedia(name: CaptureName): string[] {
  return readCaptureTags(name).map((line) => {
    if (line.startsWith('script')) return 'metadata';
    const [track, , size] = line.split(' ');
    // An end of sequence is only a header.
    return track === 'video' && size === '5' ? 'left out video 5' : line;
  });
}
