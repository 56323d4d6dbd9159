import { MediaClock } from '../../src/service/hls/media-clock.ts';
import { parseAudioTag } from '../../src/service/media/flv-audio.ts';
import type { FlvTag } from '../../src/service/media/flv-tag.ts';
import { parseVideoTag } from '../../src/service/media/flv-video.ts';
import type { TimedTag } from '../../src/service/media/timed-tag.ts';
import { findFfmpeg } from '../../src/service/media-tools/find-ffmpeg.ts';
import { Ladder } from '../../src/service/transcode/ladder.ts';
import { defaultLadderBounds, type LadderBounds } from '../../src/service/transcode/ladder-bounds.ts';
import type { LadderOptions } from '../../src/service/transcode/ladder-options.ts';
import type { LadderEvent } from '../../src/shared/model/ladder-event.ts';
import type { Profile } from '../../src/shared/model/profile.ts';

/** Two small renditions at the source's rate. */
export const smallProfiles: readonly Profile[] = [
  { name: '90p', bitrate: 200_000, fps: 0, width: 160, height: 90 },
  { name: '72p', bitrate: 100_000, fps: 0, width: 128, height: 72 },
];

/** Tags as a publisher sent them, on timelines. */
export function placeTags(tags: readonly FlvTag[]): TimedTag[] {
  const clock = new MediaClock();
  let timeline = 0;
  return tags.flatMap(({ kind, timestampMs, body }) => {
    if (kind === 'script') return [];
    const placed = clock.place(kind, timestampMs);
    if (placed.kind === 'stale') return [];
    if (placed.kind === 'jumps') timeline += 1;
    return [{ kind, timeline, timeMs: placed.timeMs, body }];
  });
}

/** Bounds that a busy computer does not reach. */
export const patientBounds: LadderBounds = {
  ...defaultLadderBounds,
  ...{ drainMs: 20_000, closeMs: 20_000, slowMs: 600_000, stallMs: 600_000 },
};

/** What a test has other than usual. */
export interface TestLadderOptions extends Partial<Omit<LadderOptions, 'bounds'>> {
  bounds?: Partial<LadderBounds>;
}

/** A ladder with real ffmpeg whose clock stands still, and what came out of it. */
export async function startTestLadder({ bounds, ...options }: TestLadderOptions = {}) {
  const found = await findFfmpeg();
  if (found.kind === 'missing') throw new Error(found.sentence);
  const profiles = options.profiles ?? smallProfiles;
  const renditions: TimedTag[][] = profiles.map(() => []);
  const events: LadderEvent[] = [];
  /** ffmpeg's last words, of each event. */
  const lastWords: (readonly string[])[] = [];
  /** Where media was said to be missing, and where a rendition was left: after so many tags of it. */
  const breaks: number[][] = profiles.map(() => []);
  const leaves: number[][] = profiles.map(() => []);
  const clock = { nowMs: 0, monotonicMs: () => clock.nowMs };
  const ladder = new Ladder({
    ffmpegPath: found.path,
    encoder: 'libx264',
    profiles,
    clock,
    onTag: (index, tag) => renditions[index]?.push(tag),
    onBreak: (index) => breaks[index]?.push(renditions[index]?.length ?? 0),
    onRunStart: () => {},
    onRunEnd: () => {},
    onLeave: (index) => leaves[index]?.push(renditions[index]?.length ?? 0),
    onEvent: (event, stderr) => {
      events.push(event);
      lastWords.push(stderr);
    },
    ...options,
    bounds: { ...defaultLadderBounds, drainMs: 20_000, ...bounds },
  });
  return { ladder, clock, renditions, breaks, leaves, events, lastWords };
}

/** What a ladder makes of these tags, fed as fast as they go. */
export async function transcode(tags: readonly TimedTag[], options: TestLadderOptions = {}) {
  const { ladder, renditions, events } = await startTestLadder(options);
  for (const tag of tags) ladder.push(tag);
  await ladder.drain();
  return { renditions, events };
}

/** The frames of a timeline as they are shown, in the order of showing. */
export function shownFrames(tags: readonly TimedTag[], timeline = 0): { shownMs: number; keyframe: boolean }[] {
  const frames = tags.flatMap((tag) => {
    if (tag.kind !== 'video' || tag.timeline !== timeline) return [];
    const video = parseVideoTag(tag.body);
    return video.kind === 'frame' ? [{ shownMs: tag.timeMs + video.compositionTimeMs, keyframe: video.keyframe }] : [];
  });
  return frames.sort((one, other) => one.shownMs - other.shownMs);
}

/** When the keyframes of a timeline are shown. */
export function keyframeTimes(tags: readonly TimedTag[], timeline = 0): number[] {
  return shownFrames(tags, timeline)
    .filter(({ keyframe }) => keyframe)
    .map(({ shownMs }) => shownMs);
}

/** The sound frames of a timeline: when, and their bytes. */
export function soundFrames(tags: readonly TimedTag[], timeline = 0): string[] {
  return tags
    .filter((tag) => tag.kind === 'audio' && tag.timeline === timeline && parseAudioTag(tag.body).kind === 'frame')
    .map(({ timeMs, body }) => `${timeMs} ${body.toString('hex')}`);
}
