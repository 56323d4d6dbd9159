import type { FlvTag } from '../../src/service/flv/flv-tag.ts';
import type { TagPackager } from './tag-packager.ts';

/** Feeds tags in real time, or `speed` times as fast, starting at `fromMs` of their timeline, until the media ends. */
export async function feedInRealTime(
  packager: Pick<TagPackager, 'push' | 'end'>,
  tags: readonly FlvTag[],
  fromMs = 0,
  speed = 1,
): Promise<void> {
  const startedAt = performance.now();
  for (const tag of tags) {
    const waitMs = (tag.timestampMs - fromMs) / speed - (performance.now() - startedAt);
    if (waitMs > 0) await new Promise((resolve) => setTimeout(resolve, waitMs));
    packager.push(tag);
  }
  packager.end();
}
