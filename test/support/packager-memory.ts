/**
 * Run as a program with `--expose-gc`: packages five minutes of 3 Mbit/s, as if from a socket, into a segment store,
 * and prints `{"baseBytes", "peakBytes"}`: the resident memory before, and its peak while running.
 */

import { FlvReader, formatFlvHeader, formatFlvTag } from '../../src/service/flv/flv-file.ts';
import { createSegmentStore } from './create-segment-store.ts';
import { broadcast } from './flv-builder.ts';
import { TagPackager } from './tag-packager.ts';

const seconds = 300;
const fps = 30;
/** Of which 96 kbit/s is audio. */
const frameBytes = (3_000_000 - 96_000) / 8 / fps;
const socketBytes = 64 * 1024;

/** One second of tags at a time, so that the encoder's own memory is not measured. */
function* encode(): Generator<Buffer> {
  yield formatFlvHeader({ hasAudio: true, hasVideo: true });
  for (let second = 0; second < seconds; second += 1) {
    const tags = broadcast({
      startMs: second * 1000,
      durationMs: 1000,
      fps,
      gopFrames: fps,
      headers: second === 0,
      frameBytes,
    });
    yield Buffer.concat(tags.map(formatFlvTag));
  }
}

const store = createSegmentStore();
const packager = new TagPackager({ startedAtMs: 0, sink: store });
const reader = new FlvReader();
globalThis.gc?.();
const baseBytes = process.memoryUsage.rss();
let peakBytes = baseBytes;
for (const second of encode()) {
  for (let start = 0; start < second.length; start += socketBytes) {
    // A socket allocates its own buffers.
    for (const tag of reader.push(Buffer.from(second.subarray(start, start + socketBytes)))) packager.push(tag);
  }
  // In practice a second passes here.
  globalThis.gc?.();
  peakBytes = Math.max(peakBytes, process.memoryUsage.rss());
}
console.log(JSON.stringify({ baseBytes, peakBytes, segments: store.segments.length }));
