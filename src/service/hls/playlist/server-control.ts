/** The skip boundary is at least this far from the end of the playlist (CAN-SKIP-UNTIL, rfc8216bis §4.4.3.8). */
export const skipTargetDurations = 6;
/** Players stay three of these behind the end, or more (HOLD-BACK and PART-HOLD-BACK, rfc8216bis §4.4.3.8). */
const holdBackParts = 3;
const holdBackTargetDurations = 3;

/** The `EXT-X-SERVER-CONTROL` of a playlist, with parts or without. */
export function formatServerControl(targetDurationSeconds: number, partTargetSeconds: number | undefined): string {
  const attributes = ['CAN-BLOCK-RELOAD=YES', `CAN-SKIP-UNTIL=${skipTargetDurations * targetDurationSeconds}`];
  attributes.push(`HOLD-BACK=${holdBackTargetDurations * targetDurationSeconds}`);
  if (partTargetSeconds !== undefined) {
    // Rounded up, so that it is three parts at least however the part target is rounded.
    const milliseconds = Math.ceil(Number((holdBackParts * partTargetSeconds * 1000).toFixed(3)));
    attributes.push(`PART-HOLD-BACK=${(milliseconds / 1000).toFixed(3)}`);
  }
  return `#EXT-X-SERVER-CONTROL:${attributes.join(',')}`;
}
