import type { FlvTag } from '../../src/service/flv/flv-tag.ts';
import { UnitReader } from '../../src/service/flv/unit-reader.ts';
import { MediaClock } from '../../src/service/hls/media-clock.ts';
import { decodeMs, type PlacedUnit, placedTimescale, trackOf } from '../../src/service/media/media-unit.ts';
import { Ladder } from '../../src/service/transcode/ladder.ts';
import { defaultLadderBounds, type LadderBounds } from '../../src/service/transcode/ladder-bounds.ts';
import type { LadderOptions } from '../../src/service/transcode/ladder-options.ts';
import type { LadderEvent } from '../../src/shared/model/ladder-event.ts';
import type { Profile } from '../../src/shared/model/profile.ts';
import { getFfmpeg } from './get-ffmpeg.ts';
import { createRendition } from './ladder-rendition.ts';

/** Two small renditions at the source's rate. */
export const smallProfiles: readonly Profile[] = [
  { name: '90p', bitrate: 200_000, fps: 0, width: 160, height: 90 },
  { name: '72p', bitrate: 100_000, fps: 0, width: 128, height: 72 },
];

/** Tags as a publisher sent them, parsed and placed on timelines. */
export function placeTags(tags: readonly FlvTag[]): PlacedUnit[] {
  const clock = new MediaClock();
  const reader = new UnitReader();
  let timeline = 0;
  return tags.flatMap((tag) => {
    const unit = reader.readUnit(tag);
    if (unit === undefined) return [];
    const placed = clock.place(trackOf(unit), decodeMs(unit));
    if (placed.kind === 'stale') return [];
    if (placed.kind === 'jumps') timeline += 1;
    return [{ ...unit, timeline, timescale: placedTimescale }];
  });
}

/** Bounds that a busy computer does not reach. */
export const patientBounds: LadderBounds = {
  ...defaultLadderBounds,
  drainMs: 20_000,
  closeMs: 20_000,
  slowMs: 600_000,
  stallMs: 600_000,
};

/** A test's own options. */
export interface TestLadderOptions extends Partial<Omit<LadderOptions, 'ffmpegPath' | 'bounds' | 'renditions'>> {
  ffmpegPath?: string;
  profiles?: readonly Profile[];
  bounds?: Partial<LadderBounds>;
  /** Receives every unit of every rendition. */
  onUnit?: (unit: PlacedUnit) => void;
}

/** A ladder with real ffmpeg and a stopped clock, and its output. */
export async function startTestLadder({
  ffmpegPath,
  bounds,
  profiles = smallProfiles,
  onUnit,
  ...options
}: TestLadderOptions = {}) {
  const path = ffmpegPath ?? (await getFfmpeg()).path;
  const renditions: PlacedUnit[][] = profiles.map(() => []);
  const events: LadderEvent[] = [];
  /** ffmpeg's last lines, by event. */
  const lastWords: (readonly string[])[] = [];
  /** The positions of reports of missing media, and where a rendition was left out, as counts of its units. */
  const breaks: number[][] = profiles.map(() => []);
  const leaves: number[][] = profiles.map(() => []);
  const clock = { nowMs: 0, monotonicMs: () => clock.nowMs };
  const made = profiles.map((profile, index) =>
    createRendition(profile, {
      onUnit(unit) {
        renditions[index]?.push(unit);
        onUnit?.(unit);
      },
      onBreak: () => breaks[index]?.push(renditions[index]?.length ?? 0),
      onLeave: () => leaves[index]?.push(renditions[index]?.length ?? 0),
    }),
  );
  const ladder = new Ladder({
    ffmpegPath: () => path,
    encoder: 'libx264',
    canDecode: () => true,
    renditions: made,
    clock,
    onEvent: (event, stderr) => {
      events.push(event);
      lastWords.push(stderr);
    },
    ...options,
    bounds: { ...defaultLadderBounds, drainMs: 20_000, ...bounds },
  });
  const states = () => made.map((rendition) => ladder.stateOf(rendition));
  return { ladder, clock, states, renditions, breaks, leaves, events, lastWords };
}

/** A ladder's output for these units, fed as fast as possible. */
export async function transcode(units: readonly PlacedUnit[], options: TestLadderOptions = {}) {
  const { ladder, renditions, events } = await startTestLadder(options);
  for (const unit of units) ladder.push(unit);
  await ladder.drain();
  return { renditions, events };
}

/** The frames of a timeline, in display order. */
export function shownFrames(units: readonly PlacedUnit[], timeline = 0): { shownMs: number; keyframe: boolean }[] {
  const frames = units.flatMap((unit) =>
    unit.type === 'video' && unit.timeline === timeline ? [{ shownMs: unit.pts, keyframe: unit.keyframe }] : [],
  );
  return frames.sort((one, other) => one.shownMs - other.shownMs);
}

/** Presentation times of a timeline's keyframes. */
export function keyframeTimes(units: readonly PlacedUnit[], timeline = 0): number[] {
  return shownFrames(units, timeline)
    .filter(({ keyframe }) => keyframe)
    .map(({ shownMs }) => shownMs);
}

/** The audio frames of a timeline: their times and bytes. */
export function soundFrames(units: readonly PlacedUnit[], timeline = 0): string[] {
  return units.flatMap((unit) =>
    unit.type === 'audio' && unit.timeline === timeline ? [`${unit.dts} ${unit.data.toString('hex')}`] : [],
  );
}
