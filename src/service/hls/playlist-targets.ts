/**
 * A media playlist's promise to its players, from its first segment to its end: the values of `EXT-X-TARGETDURATION` and
 * `PART-TARGET`, of which the hold-backs are multiples. A server may not change them (rfc8216bis §6.2.1).
 */
export interface PlaylistTargets {
  /** In whole seconds. Every `EXTINF`, rounded, is at most this (EXT-X-TARGETDURATION, rfc8216bis §4.4.3.1). */
  durationSeconds: number;
  /** No part is longer; all but the last of a segment are at least 85 % of it (EXT-X-PART, rfc8216bis §4.4.4.9). */
  partMs: number;
}

/** @throws while there is no segment: the first one decides what a playlist promises */
export function requireTargets(targets: PlaylistTargets | undefined): PlaylistTargets {
  if (targets === undefined) throw new Error('A playlist promises nothing before its first segment.');
  return targets;
}

/** The rates of an encoder, as measured when its first segment is whole. */
export interface ShownMedia {
  /** From one keyframe to the next, in milliseconds. */
  gopMs: number;
  /** Frames per second if the rate is fixed, and whether the encoder's parameters say so. */
  fps: number | undefined;
  fpsPromised: boolean;
}

/** How much longer than the first a GOP may be: the share of a GOP, and the least, in milliseconds. */
const gopJitter = 0.04;
const minGopJitterMs = 100;
/** Milliseconds past a second that still round down to it, as EXTINF is written in hundredths of a millisecond. */
const roundedMs = 499;
/** The least share of the part target that a part in the middle of a segment has. */
export const minPartShare = 0.85;
/** hls.js 1.7 doesn't notice that a segment lacks less than this (docs/architecture.md, "Known wrinkles"). */
export const unnoticedMs = 200;
/** How far a part may be from the wanted length, as a share of it, so that GOPs are whole numbers of parts: at 23.976 fps, 6 frames. */
const partLeeway = 0.26;

/** The target duration for segments that aim at `aimMs`, if the first one lasts `segmentMs`. */
export function chooseTargetDuration(segmentMs: number, aimMs: number): number {
  const longestMs = segmentMs + Math.max(segmentMs * gopJitter, minGopJitterMs);
  return Math.max(Math.round(longestMs / 1000), Math.round(aimMs / 1000), 1);
}

/** The longest segment that a target duration allows. */
export function longestSegmentMs({ durationSeconds }: Pick<PlaylistTargets, 'durationSeconds'>): number {
  return durationSeconds * 1000 + roundedMs;
}

/**
 * The part target nearest to `wantedMs`: a whole number of frames if the rate is fixed. If segments have several GOPs, a GOP is a
 * whole number of parts, since a part ends before each keyframe. If possible, hls.js notices when it lacks the last part of a GOP.
 */
export function choosePartTarget({ gopMs, fps, fpsPromised }: ShownMedia, wantedMs: number, aimMs: number): number {
  const dividesGop = 2 * gopMs <= aimMs + roundedMs;
  if (fps === undefined) {
    const parts = Math.max(Math.round(gopMs / wantedMs), 1);
    const divided = gopMs / parts;
    return dividesGop && Math.abs(divided / wantedMs - 1) <= partLeeway ? divided : wantedMs;
  }
  const exact = (wantedMs * fps) / 1000;
  const gopFrames = Math.round((gopMs * fps) / 1000);
  const divisions = listDivisions(gopFrames, exact).filter(({ frames, last }) => !dividesGop || last >= frames * minPartShare);
  const isNoticed = ({ last }: Division) => (last * 1000) / fps >= unnoticedMs;
  const division = divisions.find(isNoticed) ?? (dividesGop ? divisions[0] : undefined);
  const frames = division?.frames ?? Math.max(Math.round(exact), 1);
  const partMs = (frames * 1000) / fps;
  // A second of 29.97 fps looks like 30 fps; its GOP is a millisecond longer.
  const measuredMs = gopFrames > 0 ? (frames * gopMs) / gopFrames : 0;
  return fpsPromised ? partMs : Math.max(partMs, Math.min(measuredMs, partMs * 1.001));
}

/** The part target for audio only: the whole number of frames of `frameMs` that is nearest to `wantedMs`. */
export function chooseAudioPartTarget(frameMs: number, wantedMs: number): number {
  return Math.max(Math.round(wantedMs / frameMs), 1) * frameMs;
}

/** A GOP in parts: the frames of each, and of the last. */
interface Division {
  frames: number;
  last: number;
}

/** The ways to divide a GOP into parts of about `exact` frames, the nearest first; of two as near, the one with fewer frames. */
function listDivisions(gopFrames: number, exact: number): Division[] {
  const first = Math.ceil(exact * (1 - partLeeway));
  const most = Math.min(Math.floor(exact * (1 + partLeeway)), gopFrames);
  return Array.from({ length: Math.max(most - first + 1, 0) }, (_, index) => first + index)
    .map((frames) => ({ frames, last: gopFrames % frames || frames }))
    .sort((one, other) => Math.abs(one.frames - exact) - Math.abs(other.frames - exact));
}
