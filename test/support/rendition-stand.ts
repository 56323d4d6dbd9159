import type { FlvTag } from '../../src/service/flv/flv-tag.ts';
import { PlaylistCache } from '../../src/service/hls/playlist-cache.ts';
import { SegmentPlan } from '../../src/service/hls/segment-plan.ts';
import { RenditionSet } from '../../src/service/session/rendition-set.ts';
import { Ladder } from '../../src/service/transcode/ladder.ts';
import { defaultLadderBounds, type LadderBounds } from '../../src/service/transcode/ladder-bounds.ts';
import type { Processors } from '../../src/service/transcode/processors.ts';
import type { LadderEvent } from '../../src/shared/model/ladder-event.ts';
import { createSegmentStore } from './create-segment-store.ts';
import { getFfmpeg } from './get-ffmpeg.ts';
import { readPlaylist } from './read-playlist.ts';
import { TagPackager } from './tag-packager.ts';
import { smallProfiles } from './transcode-stand.ts';

/** One publisher with two renditions by real ffmpeg, each with its own store, and a stopped clock. */
export async function startRenditionStand({
  bounds,
  processors,
}: {
  bounds?: Partial<LadderBounds>;
  processors?: Processors;
} = {}) {
  const ffmpeg = await getFfmpeg();
  const clock = { nowMs: 0, monotonicMs: () => clock.nowMs };
  const events: LadderEvent[] = [];
  let segments = 0;
  let ladder: Ladder | undefined;
  const set = new RenditionSet({
    profiles: smallProfiles,
    createStore: () => createSegmentStore({ windowSeconds: () => 600 }),
    onSegment: () => {
      segments += 1;
    },
    onEvent: (event) => events.push(event),
    startLadder: (options) => {
      ladder = new Ladder({
        ...options,
        clock,
        canDecode: () => true,
        encoder: 'libx264',
        ffmpegPath: () => ffmpeg.path,
        bounds: { ...defaultLadderBounds, drainMs: 20_000, ...bounds },
        ...(processors && { processors }),
      });
      return ladder;
    },
  });
  const plan = new SegmentPlan();
  const source = createSegmentStore({ windowSeconds: () => 600 });
  const feed = set.start(plan, () => 25);
  const packager = new TagPackager({
    startedAtMs: 0,
    targetSegmentSeconds: 1,
    sink: source,
    plan,
    onPlaced: (unit) => feed.push(unit),
  });
  const playlists = new PlaylistCache();
  const renditions = [{ name: 'source', store: source }, ...set.playable];
  return {
    set,
    clock,
    events,
    ladder: ladder as unknown as Ladder,
    push(tags: readonly FlvTag[]) {
      for (const tag of tags) packager.push(tag);
    },
    /** Segments of the renditions that play. */
    countSegments: () => segments,
    /** The media playlist of the source (0) or of a rendition, and its contents. */
    playlist(index: number) {
      const rendition = renditions[index];
      if (rendition === undefined) throw new RangeError('There is no such rendition.');
      return readPlaylist(playlists.media(rendition, renditions, false).bytes.toString());
    },
    store: (index: number) => renditions[index]!.store,
    async end() {
      packager.end();
      source.end();
      await set.end();
    },
    async [Symbol.asyncDispose]() {
      await ladder?.close();
    },
  };
}
