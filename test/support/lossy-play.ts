import { expect } from 'vitest';
import { readSeconds } from './clock-picture.ts';
import type { LostTrack } from './lossy-publisher.ts';
import type { PlayerWay, ShownPicture, WatchedPlayer } from './watched-player.ts';

/** A finished broadcast of the clock picture. */
export interface LossyBroadcast {
  seconds: number;
  lost: readonly LostTrack[];
}

/** Decoded bytes per second: the tone has some thousands, silence some hundreds. */
const leastTone = 2_000;

/** Whether the tone was decoded after the audio was back, up to its next loss; `seconds` are those of the pictures. */
function hasTone(shown: readonly ShownPicture[], seconds: readonly number[], { lost }: LossyBroadcast): boolean {
  const [loss, nextLoss] = lost.filter(({ kind }) => kind === 'audio');
  const from = (loss?.toSeconds ?? 0) + 1;
  const to = nextLoss?.fromSeconds ?? Number.POSITIVE_INFINITY;
  const within = shown.filter((_, index) => Number(seconds[index]) >= from && Number(seconds[index]) + 1 <= to);
  const [first, last] = [within[0], within.at(-1)];
  if (first === undefined || last === undefined) return false;
  return (last.soundBytes - first.soundBytes) / (last.atSeconds - first.atSeconds) > leastTone;
}

/** The pictures shown of a broadcast, and whether audio was heard after it was back. */
export function describeView(shown: readonly ShownPicture[], broadcast: LossyBroadcast) {
  const { lastSecond } = expectedView(broadcast);
  const faces = shown.map(({ brightness }) => brightness);
  const seconds = readSeconds(faces, lastSecond);
  const isLost = (second: number) =>
    broadcast.lost.some((one) => one.kind === 'video' && second >= one.fromSeconds && second < one.toSeconds);
  return {
    /** The second of the last picture. */
    lastSecond: seconds.at(-1),
    /** Seconds of pictures shown after later ones, or never sent, with where the video showed them and the ones before. */
    wrongSeconds: seconds.flatMap((second, index) => {
      const before = seconds[index - 1];
      if (!isLost(second) && second >= (before ?? second)) return [];
      return [`${second} at ${shown[index]?.atSeconds} s, after ${before} at ${shown[index - 1]?.atSeconds} s`];
    }),
    hasTone: hasTone(shown, seconds, broadcast),
  };
}

/** The expected result. */
function expectedView({ seconds, lost }: LossyBroadcast) {
  const goneFor = (kind: LostTrack['kind']) =>
    lost.filter((one) => one.kind === kind && one.toSeconds === Number.POSITIVE_INFINITY);
  return {
    lastSecond: (goneFor('video')[0]?.fromSeconds ?? seconds) - 1,
    wrongSeconds: [] as string[],
    hasTone: goneFor('audio')[0]?.fromSeconds !== 0,
  };
}

/** Describes the result of a player that should play a broadcast to its end. */
export async function describePlay(player: WatchedPlayer, broadcast: LossyBroadcast) {
  const { shown, currentTime, fatal, ended, duration, buffered } = await player.read();
  return {
    player: player.way.name,
    fatal,
    ended,
    duration,
    buffered,
    isAtEnd: currentTime === duration,
    ...describeView(shown, broadcast),
  };
}

/**
 * The expected result: the last picture, at the end of the media, without a gap in the media. With low latency hls.js may skip
 * a part that it was too late for. shaka-player has a gap wherever the program date-times have moved (`countMovedDates`).
 */
export function expectedPlay({ name, script, lowLatencyMode }: PlayerWay, broadcast: LossyBroadcast, movedDates = 0) {
  const maxRanges = script === 'shaka-player' ? 1 + movedDates : lowLatencyMode ? Number.POSITIVE_INFINITY : 1;
  return {
    player: name,
    fatal: [],
    ended: true,
    duration: expect.any(Number),
    buffered: expect.toSatisfy((ranges: unknown[]) => ranges.length >= 1 && ranges.length <= maxRanges),
    isAtEnd: true,
    ...expectedView(broadcast),
  };
}
