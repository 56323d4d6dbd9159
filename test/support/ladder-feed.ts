import type { FlvTag } from '../../src/service/flv/flv-tag.ts';
import { RenditionPackager } from '../../src/service/hls/rendition-packager.ts';
import { SegmentPlan } from '../../src/service/hls/segment-plan.ts';
import type { PlacedUnit } from '../../src/service/media/media-unit.ts';
import { renditionOptions } from './packager-options.ts';
import type { PlaybackStand } from './playback-stand.ts';
import type { TagPackager } from './tag-packager.ts';
import { placeTags } from './transcode-stand.ts';

/** Renditions arrive this long after their source, as from an encoder. */
const behindMs = 200;

/** The output of a ladder's encoders for a source, in the order of the stand's renditions, and their gaps. */
export interface LadderMedia {
  renditions: readonly (readonly FlvTag[])[];
  /** The encoders fail at `fromMs`; others resume at the keyframe at `toMs`, in milliseconds of the media. */
  missing?: { fromMs: number; toMs: number };
  /** The last rendition is left out from `fromMs` to the keyframe at `toMs`, in milliseconds of the media. */
  left?: { fromMs: number; toMs: number };
  /** Segment duration; 1 by default. */
  segmentSeconds?: number | undefined;
}

/** Feeds a stand's source, and with each tag the rendition media produced by then. */
export function createLadderFeed(
  stand: PlaybackStand,
  { renditions, missing, left, segmentSeconds = 1 }: LadderMedia,
): Pick<TagPackager, 'push' | 'end'> {
  const plan = new SegmentPlan();
  const followers = stand.renditions.map(({ store }, index) => ({
    packager: new RenditionPackager(renditionOptions({ sink: store, plan })),
    waiting: placeTags(renditions[index] ?? []),
    broken: false,
  }));
  const follow = (follower: (typeof followers)[number], unit: PlacedUnit) => {
    if (missing === undefined || unit.dts < missing.fromMs || unit.dts >= missing.toMs) {
      follower.packager.push(unit);
      return;
    }
    if (!follower.broken) follower.packager.breakOff();
    follower.broken = true;
  };
  const followUntil = (timeMs: number) => {
    for (const follower of followers) {
      const coming = follower.waiting.findIndex(({ dts }) => dts > timeMs);
      for (const unit of follower.waiting.splice(0, coming < 0 ? follower.waiting.length : coming)) follow(follower, unit);
    }
  };
  const leaver = left && stand.renditions.at(-1);
  const packager = followers.at(-1)?.packager;
  let isHere = true;
  /** Its encoder outputs the last unit before the rendition is known to be left out. */
  const leaveAndReturn = (sourceMs: number) => {
    if (left === undefined || leaver === undefined) return;
    const { waiting = [] } = followers.at(-1) ?? {};
    if (isHere && sourceMs >= left.fromMs + behindMs && sourceMs < left.toMs) {
      isHere = false;
      followUntil(left.fromMs - 1);
      packager?.leave();
      leaver.store.leave();
      waiting.splice(
        0,
        waiting.findIndex(({ dts }) => dts >= left.toMs),
      );
    } else if (!isHere && sourceMs >= left.toMs) {
      isHere = true;
      packager?.awaitEncoder({ timeline: 0, startMs: left.toMs });
    }
  };
  const source = stand.createPackager({
    targetSegmentSeconds: segmentSeconds,
    plan,
    onPlaced: ({ dts }) => {
      leaveAndReturn(dts);
      followUntil(dts - behindMs);
    },
  });
  return {
    push: (tag) => source.push(tag),
    end: () => {
      source.end();
      followUntil(Number.POSITIVE_INFINITY);
      for (const { packager } of followers) packager.end();
    },
  };
}
