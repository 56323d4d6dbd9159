import type { Packager } from '../../src/service/hls/packager.ts';
import { SegmentPlan } from '../../src/service/hls/segment-plan.ts';
import type { FlvTag } from '../../src/service/media/flv-tag.ts';
import type { TimedTag } from '../../src/service/media/timed-tag.ts';
import type { PlaybackStand } from './playback-stand.ts';
import { placeTags } from './transcode-stand.ts';

/** Renditions come this long after their source, as from an encoder. */
const behindMs = 200;

/** What the encoders of a ladder make of a source, in the order of the stand's renditions, and what they miss of it. */
export interface LadderMedia {
  renditions: readonly (readonly FlvTag[])[];
  /** The encoders break off at `fromMs`, and others go on with the keyframe at `toMs`, in milliseconds of the media. */
  missing?: { fromMs: number; toMs: number };
  /** The last rendition is left out from the keyframe at `fromMs` to the one at `toMs`, in milliseconds of the media. */
  left?: { fromMs: number; toMs: number };
}

/** Feeds a stand's source, in segments of 1 s, and with each tag of it what has come of its renditions by then. */
export function createLadderFeed(
  stand: PlaybackStand,
  { renditions, missing, left }: LadderMedia,
): Pick<Packager, 'push' | 'end'> {
  const plan = new SegmentPlan();
  const followers = stand.renditions.map(({ store }, index) => ({
    packager: stand.createPackager({ sink: store, plan, follow: true }),
    waiting: placeTags(renditions[index] ?? []),
    broken: false,
  }));
  const follow = (follower: (typeof followers)[number], tag: TimedTag) => {
    if (missing === undefined || tag.timeMs < missing.fromMs || tag.timeMs >= missing.toMs) {
      follower.packager.pushTimed(tag);
      return;
    }
    if (!follower.broken) follower.packager.breakOff();
    follower.broken = true;
  };
  const followUntil = (timeMs: number) => {
    for (const follower of followers) {
      const coming = follower.waiting.findIndex((tag) => tag.timeMs > timeMs);
      for (const tag of follower.waiting.splice(0, coming < 0 ? follower.waiting.length : coming)) follow(follower, tag);
    }
  };
  const leaver = left && stand.renditions.at(-1);
  const packager = followers.at(-1)?.packager;
  let isHere = true;
  /** Its encoder gives out the last before it is known to be left. */
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
        waiting.findIndex(({ timeMs }) => timeMs >= left.toMs),
      );
    } else if (!isHere && sourceMs >= left.toMs) {
      isHere = true;
      packager?.awaitEncoder({ timeline: 0, startMs: left.toMs });
    }
  };
  const source = stand.createPackager({
    targetSegmentSeconds: 1,
    plan,
    onTimed: ({ timeMs }) => {
      leaveAndReturn(timeMs);
      followUntil(timeMs - behindMs);
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
