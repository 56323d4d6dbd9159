import { setTimeout as sleep } from 'node:timers/promises';
import type { FlvTag } from '../../src/service/flv/flv-tag.ts';
import { PublishError } from '../../src/service/publishing/publish-error.ts';
import { startRtmpPublisher } from '../../src/service/rtmp/rtmp-client.ts';

/** A jump forwards by more than this, or backwards, is a new clock and not a pause. */
const maxPauseMs = 5_000;
const aMinuteMs = 60_000;

/** Where to publish. `stamp` changes tags after they were timed, as an encoder with two clocks does. */
export interface PublishTarget {
  port: number;
  streamKey: string;
  stamp?: (tag: FlvTag) => FlvTag;
}

/** How fast tags are published. */
export interface PublishPace {
  speed?: number;
  fastSeconds?: number;
}

/**
 * Publishes tags over RTMP in real time, or the first `fastSeconds` of media, or all of it, `speed` times as fast, and closes cleanly.
 * Drops nothing, however slow it is.
 *
 * @throws {PublishError} as soon as the ingest closes it.
 */
export async function publishTags(
  { port, streamKey, stamp = (tag) => tag }: PublishTarget,
  tags: Iterable<FlvTag>,
  { speed = 1, fastSeconds = Number.POSITIVE_INFINITY }: PublishPace = {},
): Promise<void> {
  const publisher = await startRtmpPublisher({
    url: `rtmp://127.0.0.1:${port}/live`,
    streamKey,
    signal: new AbortController().signal,
    stepTimeoutMs: aMinuteMs,
    stallTimeoutMs: aMinuteMs,
    closeGraceMs: aMinuteMs,
    maxQueueMs: Number.POSITIVE_INFINITY,
    maxQueueBytes: Number.POSITIVE_INFINITY,
  });
  const startedAt = performance.now();
  let lastMs: number | undefined;
  let mediaMs = 0;
  const waiting = new AbortController();
  const isOver = publisher.closed.then((end) => {
    waiting.abort();
    return end;
  });
  for (const tag of tags) {
    lastMs ??= tag.timestampMs;
    // Timestamps wrap at 2^32.
    const goneMs = (tag.timestampMs - lastMs) | 0;
    if (goneMs > 0 && goneMs <= maxPauseMs) mediaMs += goneMs;
    if (goneMs > 0 || goneMs < -maxPauseMs) lastMs = tag.timestampMs;
    const fastMs = Math.min(mediaMs, fastSeconds * 1000);
    const waitMs = fastMs / speed + mediaMs - fastMs - (performance.now() - startedAt);
    if (waitMs > 0) await sleep(waitMs, undefined, { signal: waiting.signal }).catch(() => {});
    if (waiting.signal.aborted) break;
    publisher.send(stamp(tag), 'config');
  }
  await publisher.close();
  const end = await isOver;
  if (end.kind !== 'closed-by-us') throw new PublishError(end.kind, end.failure);
}
