/** The total duration, in seconds. */
export function totalSeconds(media: readonly { durationSeconds: number }[]): number {
  return media.reduce((sum, { durationSeconds }) => sum + durationSeconds, 0);
}

/** How many of the newest segments reach back this far, in seconds, from an end that is `afterSeconds` after the last of them. */
export function countNewest(
  segments: readonly { durationSeconds: number }[],
  reachSeconds: number,
  afterSeconds: number,
): number {
  let seconds = afterSeconds;
  let count = 0;
  // Count back from the end, without a copy: a window of hours is long, and every request counts.
  for (let index = segments.length - 1; index >= 0 && seconds < reachSeconds; index -= 1) {
    seconds += segments[index]?.durationSeconds ?? 0;
    count += 1;
  }
  return count;
}
