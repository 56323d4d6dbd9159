import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
import type { FlvTag } from '../../src/service/flv/flv-tag.ts';
import type { TagPackager } from './tag-packager.ts';

/**
 * Feeds tags in real time, or `speed` times as fast, starting at `fromMs` of their timeline, until the media ends. Late tags are fed in
 * turns of their own, so that media that players wait for is sent before it leaves the playlist again.
 */
export async function feedInRealTime(
  packager: Pick<TagPackager, 'push' | 'end'>,
  tags: Iterable<FlvTag>,
  fromMs = 0,
  speed = 1,
): Promise<void> {
  const startedAt = performance.now();
  for (const tag of tags) {
    const waitMs = (tag.timestampMs - fromMs) / speed - (performance.now() - startedAt);
    if (waitMs > 0) await sleep(waitMs);
    else await nextTurn();
    packager.push(tag);
  }
  packager.end();
}
