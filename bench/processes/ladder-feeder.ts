import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { readUnits } from '../../src/service/flv/unit-reader.ts';
import { RenditionPackager } from '../../src/service/hls/rendition-packager.ts';
import { SegmentPlan } from '../../src/service/hls/segment-plan.ts';
import { SourcePackager } from '../../src/service/hls/source-packager.ts';
import { decodeMs } from '../../src/service/media/media-unit.ts';
import { Ladder } from '../../src/service/transcode/ladder.ts';
import { defaultLadderBounds } from '../../src/service/transcode/ladder-bounds.ts';
import { recommendedProfiles } from '../../src/shared/model/profile.ts';
import { describeLadderEvent } from '../../src/shared/words/ladder-words.ts';
import { createSegmentStore } from '../../test/support/create-segment-store.ts';
import { packagerOptions } from '../../test/support/packager-options.ts';
import { answerParent } from './answer.ts';

/** The one task of this process: a source and its ladder from a file in real time, packaged as the service does. */
export interface FeedQuestion {
  file: string;
  ffmpegPath: string;
  fps: number;
}

/** The result. */
export interface FeedReport {
  sourceSegments: number;
  renditionSegments: number;
  medianLatencyMs: number;
  /** CPU used before the ladder started, which the service would use anyway. */
  startUpSeconds: number;
}

answerParent(async ({ file, ffmpegPath, fps }: FeedQuestion): Promise<FeedReport> => {
  const startUpSeconds = cpuSeconds();
  const startedAtMs = Date.now();
  let sourceSegments = 0;
  let renditionSegments = 0;
  const sentAt = new Map<number, number>();
  const latencies: number[] = [];
  const ladder = new Ladder({
    ffmpegPath: () => ffmpegPath,
    canDecode: () => true,
    encoder: 'libx264',
    renditions: recommendedProfiles.map((profile, index) => ({
      profile,
      onRunStart: () => {},
      onRunEnd: () => {},
      onBreak: () => console.error('Media is missing.'),
      onLeave: () => console.error('A rendition is missing.'),
      onUnit(unit) {
        packagers[index]?.push(unit);
        const sent = unit.type === 'video' ? sentAt.get(unit.pts) : undefined;
        if (sent !== undefined) latencies.push(performance.now() - sent);
      },
    })),
    clock: { monotonicMs: () => performance.now() },
    sourceFps: () => fps,
    // Measure everything, however busy the computer is with other work.
    bounds: { ...defaultLadderBounds, slowMs: Number.POSITIVE_INFINITY, stallMs: Number.POSITIVE_INFINITY, drainMs: 60_000 },
    onEvent: (event) => event.code !== 'started' && console.error(describeLadderEvent(event)),
  });
  const plan = new SegmentPlan();
  const packagers = recommendedProfiles.map(
    () => new RenditionPackager({ plan, sink: createSegmentStore(), onSegment: () => (renditionSegments += 1) }),
  );
  const store = createSegmentStore();
  const source = new SourcePackager(
    packagerOptions({
      startedAtMs,
      plan,
      sink: store,
      places: store.places,
      promised: store.targets,
      onSegment: () => (sourceSegments += 1),
      onPlaced(unit) {
        if (unit.type === 'video') sentAt.set(unit.pts, performance.now());
        ladder.push(unit);
      },
    }),
  );
  const beganAt = performance.now();
  const ticks = setInterval(() => ladder.tick(), 1_000);
  for (const unit of readUnits(readFileSync(file))) {
    const aheadMs = decodeMs(unit) - (performance.now() - beganAt);
    if (aheadMs > 0) await sleep(aheadMs);
    source.push(unit, performance.now());
  }
  clearInterval(ticks);
  source.end();
  await ladder.drain();
  for (const packager of packagers) packager.end();
  const medianLatencyMs = latencies.toSorted((a, b) => a - b)[Math.floor(latencies.length / 2)] ?? 0;
  return { sourceSegments, renditionSegments, medianLatencyMs, startUpSeconds };
});

function cpuSeconds(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e6;
}
