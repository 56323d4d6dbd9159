import { expect, onTestFinished } from 'vitest';
import type { PlacedUnit } from '../../src/service/media/media-unit.ts';
import { movePlaced } from './move-placed.ts';
import { soon } from './soon.ts';
import { makeSource } from './synthetic-source.ts';
import { placeTags, shownFrames, startTestLadder, type TestLadderOptions } from './transcode-stand.ts';

/** 12 s at 25 fps with a keyframe every second. */
export async function makeTwelveSeconds(): Promise<PlacedUnit[]> {
  const units = placeTags(await makeSource({ seconds: 12 }));
  // ffmpeg puts the first picture after the first audio frame; here it is at 0.
  const [{ shownMs = 0 } = {}] = shownFrames(units);
  return units.map((unit) => movePlaced(unit, -Math.min(shownMs, unit.dts)));
}

export type SupervisedLadder = Awaited<ReturnType<typeof startTestLadder>>;

/** A ladder that gets the source's frame rate, and is closed when the test is over. */
export async function startSupervised(options?: TestLadderOptions): Promise<SupervisedLadder> {
  const stand = await startTestLadder({ sourceFps: () => 25, ...options });
  onTestFinished(() => stand.ladder.close());
  return stand;
}

/** Feeds the units of these times, excluding the last time. */
export function pushBetween({ ladder }: SupervisedLadder, source: readonly PlacedUnit[], fromMs: number, toMs: number) {
  for (const unit of source) {
    if (unit.dts >= fromMs && unit.dts < toMs) ladder.push(unit);
  }
}

/** Presentation time of the last picture that came out; -1 before the first. */
export function lastShownMs(units: readonly PlacedUnit[] | undefined): number {
  return shownFrames(units ?? []).at(-1)?.shownMs ?? -1;
}

/** Waits until all renditions have come out up to this picture. */
export async function outAt({ renditions }: SupervisedLadder, shownMs: number) {
  await soon(() => expect(Math.min(...renditions.map(lastShownMs))).toBeGreaterThanOrEqual(shownMs));
}
