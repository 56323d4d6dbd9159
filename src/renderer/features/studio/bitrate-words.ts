import { formatBitrate, formatKilobits } from '../../../shared/format-count.ts';

/** The lowest and the highest of some bitrates, in bits per second. */
export interface BitrateRange {
  min: number;
  max: number;
}

/** The words of the chart. */
export interface BitrateWords {
  title: string;
  peak: string;
  /** For those who don't see the line. */
  alternative: string;
}

/** The range of the known bitrates; undefined without any. */
export function rangeOf(bitratesBps: readonly (number | null)[]): BitrateRange | undefined {
  const known = bitratesBps.filter((bitrate) => bitrate !== null);
  return known.length === 0 ? undefined : { min: Math.min(...known), max: Math.max(...known) };
}

/**
 * The chart in words. `since` is the time of day when this page first saw the stream, if that is less than five minutes ago: nothing is
 * known of the time before.
 */
export function describeBitrates(range: BitrateRange | undefined, since: string | undefined): BitrateWords {
  const title = since === undefined ? 'Bitrate, last 5 minutes' : `Bitrate since ${since}`;
  const span = since === undefined ? 'in the last 5 minutes' : `since ${since}`;
  if (range === undefined) return { title, peak: '', alternative: `No bitrate measured ${span}` };
  const most = formatBitrate(range.max);
  return { title, peak: `peak ${most}`, alternative: `Bitrate between ${formatKilobits(range.min)} and ${most} ${span}` };
}
