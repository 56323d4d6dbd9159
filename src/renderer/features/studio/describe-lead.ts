import { formatBitrate, formatCount, formatKilobits } from '../../../shared/format-count.ts';
import type { LatencyView, Meters, Severity } from '../../../shared/model/live.ts';
import { weighNumbers } from '../../../shared/weigh-numbers.ts';
import { withUnit } from '../../../shared/with-unit.ts';
import { formatShare } from '../../format/quantity.ts';
import { describeLatency } from '../../status/latency-words.ts';
import type { PlaybackFacts } from '../../store/playback-report.ts';

/** One of the four numbers at the top of Health. Without a `value` it is unknown. */
export interface LeadNumber {
  name: string;
  value: string | undefined;
  /** The number's unit, which stays beside it. */
  unit?: string;
  /** The value that the number is compared with, which may be shown below it. */
  note?: string;
  severity: Severity;
}

/**
 * Bitrate, dropped frames, latency and stalls: a broadcast's health at a glance.
 *
 * @param isCoarse the bitrate is so low that the picture is coarse
 * @param worst the verdict's severity, which no number exceeds: a loss that is over leaves its number for a minute
 */
export function describeLead(
  meters: Meters | undefined,
  latency: LatencyView | undefined,
  { latencySeconds, stalls, stalledSeconds = 0, recentStalls = 0, recentStalledSeconds = 0 }: PlaybackFacts,
  { isCoarse, worst }: { isCoarse: boolean; worst: Severity },
): LeadNumber[] {
  const dropped = meters?.droppedFrames;
  const recent = { stalls: recentStalls, stalledSeconds: recentStalledSeconds };
  const severities = weighNumbers({ droppedRatio: dropped?.ratio, recent, isCoarse });
  const numbers: LeadNumber[] = [
    {
      name: 'Bitrate',
      value: meters?.bitrateBps === undefined ? undefined : formatKilobits(meters.bitrateBps),
      ...(meters?.targetBitrateBps === undefined
        ? { unit: 'kbit/s' }
        : { note: `of ${formatBitrate(meters.targetBitrateBps)}` }),
      severity: severities.bitrate,
    },
    {
      name: 'Dropped frames',
      value: dropped && formatShare(dropped.ratio),
      unit: '%',
      ...(dropped !== undefined && dropped.count > 0 && { note: `· ${formatCount(dropped.count)} in a minute` }),
      severity: severities.droppedFrames,
    },
    {
      name: 'Latency',
      value: latencySeconds?.toFixed(1),
      unit: 's',
      note: describeLatency(latency).name,
      severity: 'good',
    },
    {
      name: 'Stalls',
      value: stalls === undefined ? undefined : formatCount(stalls),
      ...(stalls !== undefined && stalls > 0 && { note: `· ${withUnit(stalledSeconds.toFixed(1), 's')} in total` }),
      severity: severities.stalls,
    },
  ];
  return numbers.map((number) => ({ ...number, severity: pickMilder(number.severity, worst) }));
}

function pickMilder(one: Severity, other: Severity): Severity {
  if (one === 'good' || other === 'good') return 'good';
  return one === 'bad' ? other : one;
}
