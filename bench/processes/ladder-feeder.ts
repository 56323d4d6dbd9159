import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { Packager } from '../../src/service/hls/packager.ts';
import { FlvReader } from '../../src/service/media/flv.ts';
import { Ladder } from '../../src/service/transcode/ladder.ts';
import { defaultLadderBounds } from '../../src/service/transcode/ladder-bounds.ts';
import { recommendedProfiles } from '../../src/shared/model/profile.ts';
import { describeLadderEvent } from '../../src/shared/words/ladder-words.ts';
import { answerParent } from './answer.ts';

/** What is asked of this process, once: the source and its ladder of a file in real time, packaged as the service does. */
export interface FeedQuestion {
  file: string;
  ffmpegPath: string;
  fps: number;
}

/** What came of it. */
export interface FeedReport {
  sourceSegments: number;
  renditionSegments: number;
  medianLatencyMs: number;
  /** CPU that was used before the ladder began: the service runs anyway. */
  startUpSeconds: number;
}

answerParent(async ({ file, ffmpegPath, fps }: FeedQuestion): Promise<FeedReport> => {
  const startUpSeconds = cpuSeconds();
  const startedAtMs = Date.now();
  let sourceSegments = 0;
  let renditionSegments = 0;
  const sentAt = new Map<number, number>();
  const latencies: number[] = [];
  const source = new Packager({ startedAtMs, onSegment: () => (sourceSegments += 1) });
  const packagers = recommendedProfiles.map(() => new Packager({ startedAtMs, onSegment: () => (renditionSegments += 1) }));
  const ladder = new Ladder({
    ffmpegPath,
    encoder: 'libx264',
    profiles: recommendedProfiles,
    clock: { monotonicMs: () => performance.now() },
    sourceFps: () => fps,
    // All of it is measured, however busy the computer is with other work.
    bounds: { ...defaultLadderBounds, slowMs: Number.POSITIVE_INFINITY, stallMs: Number.POSITIVE_INFINITY, drainMs: 60_000 },
    onEvent: (event) => event.code !== 'started' && console.error(describeLadderEvent(event)),
    onRunStart: () => {},
    onRunEnd: () => {},
    onBreak: () => console.error('Media is missing.'),
    onLeave: () => console.error('A rendition is missing.'),
    onTag: (index, { kind, timeMs, body }) => {
      packagers[index]?.push({ kind, timestampMs: timeMs, body });
      const sent = sentAt.get(timeMs);
      if (kind === 'video' && body[1] === 1 && sent !== undefined) latencies.push(performance.now() - sent);
    },
  });
  const beganAt = performance.now();
  const ticks = setInterval(() => ladder.tick(), 1_000);
  for (const tag of new FlvReader().push(readFileSync(file))) {
    const aheadMs = tag.timestampMs - (performance.now() - beganAt);
    if (aheadMs > 0) await sleep(aheadMs);
    source.push(tag);
    if (tag.kind === 'video') sentAt.set(tag.timestampMs + tag.body.readIntBE(2, 3), performance.now());
    ladder.push({ kind: tag.kind, timeline: 0, timeMs: tag.timestampMs, body: tag.body });
  }
  clearInterval(ticks);
  await ladder.drain();
  for (const packager of [source, ...packagers]) packager.end();
  const medianLatencyMs = latencies.toSorted((a, b) => a - b)[Math.floor(latencies.length / 2)] ?? 0;
  return { sourceSegments, renditionSegments, medianLatencyMs, startUpSeconds };
});

function cpuSeconds(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e6;
}
