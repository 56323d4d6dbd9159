import type { FlvTag } from '../../src/service/flv/flv-tag.ts';
import { parseVideoTag } from '../../src/service/flv/video-tag.ts';
import type { CaptureStamp } from '../../src/service/media/capture-stamp.ts';
import { insertCaptureStamp } from '../../src/service/media/h264-capture-stamp.ts';

/** Tags of an encoder that sends capture times; `stampOf` is called for each keyframe with its presentation time. */
export function stampKeyframes(tags: readonly FlvTag[], stampOf: (shownMs: number) => CaptureStamp | undefined): FlvTag[] {
  return tags.map((tag) => {
    const video = tag.kind === 'video' ? parseVideoTag(tag.body) : undefined;
    if (video?.kind !== 'frame' || !video.keyframe) return tag;
    const stamp = stampOf(tag.timestampMs + video.compositionTimeMs);
    if (stamp === undefined) return tag;
    const header = tag.body.subarray(0, tag.body.length - video.data.length);
    return { ...tag, body: Buffer.concat([header, insertCaptureStamp(video.data, 4, stamp)]) };
  });
}
