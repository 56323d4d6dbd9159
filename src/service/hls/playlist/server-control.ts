/** The skip boundary is at least this far from the end of the last complete segment (CAN-SKIP-UNTIL, rfc8216bis §4.4.3.8). */
export const skipTargetDurations = 6;
/** How many parts players stay behind the end (PART-HOLD-BACK): at least two, three recommended (rfc8216bis §4.4.3.8, decision 0016). */
const holdBackParts = 2;
/** How many target durations they stay behind it without low latency (HOLD-BACK): at least three. */
export const holdBackTargetDurations = 3;

/** The `EXT-X-SERVER-CONTROL` of a playlist, with parts or without. */
export function formatServerControl(targetDurationSeconds: number, partTargetSeconds: number | undefined): string {
  const attributes = ['CAN-BLOCK-RELOAD=YES', `CAN-SKIP-UNTIL=${skipTargetDurations * targetDurationSeconds}`];
  attributes.push(`HOLD-BACK=${holdBackTargetDurations * targetDurationSeconds}`);
  if (partTargetSeconds !== undefined) {
    // Multiply the part target as it is written, rounded up.
    const milliseconds = holdBackParts * Number(formatPartTarget(partTargetSeconds)) * 1000;
    attributes.push(`PART-HOLD-BACK=${(Math.ceil(Number(milliseconds.toFixed(3))) / 1000).toFixed(3)}`);
  }
  return `#EXT-X-SERVER-CONTROL:${attributes.join(',')}`;
}

/** The value of `PART-TARGET` (EXT-X-PART-INF, rfc8216bis §4.4.3.7). */
export function formatPartTarget(partTargetSeconds: number): string {
  return partTargetSeconds.toFixed(5);
}
