import type { AwayPart } from '../../shared/model/capture.ts';
import type { VerdictOf } from '../../shared/model/verdict.ts';
import type { HealthFacts } from './health-facts.ts';

/** What is wrong if a part of our own source is away: the picture first, then the sound, then the inset. */
export function sourceVerdict({ oneClick }: HealthFacts): VerdictOf<'source-away'> | undefined {
  if (oneClick.kind !== 'running') return undefined;
  const away = order.flatMap((part) => oneClick.away.filter((each) => each.part === part && each.fault.code !== 'off-clock'));
  // A file that was cut short is over: something plays again.
  const worst = away.find(({ fault }) => fault.code !== 'cut-short') ?? away[0];
  return worst && { code: 'source-away', severity: isBad(worst) ? 'bad' : 'warn', away: worst };
}

/** Whether a device's clock is off: nothing is away, but its sound has gaps or jumps. */
export function deviceDriftVerdict({ oneClick }: HealthFacts): VerdictOf<'device-drifts'> | undefined {
  const away = oneClick.kind === 'running' ? oneClick.away.find(({ fault }) => fault.code === 'off-clock') : undefined;
  return away && { code: 'device-drifts', severity: 'warn', away };
}

const order: readonly AwayPart['part'][] = ['picture', 'sound', 'inset'];

/** Less serious: viewers have a picture, or the files ended as planned. */
const mildCodes: readonly AwayPart['fault']['code'][] = ['track-ended', 'cut-short', 'too-slow', 'ended'];

/** Viewers have no picture at all. One of several sounds is less. */
function isBad({ part, fault }: AwayPart): boolean {
  return part === 'picture' && !mildCodes.includes(fault.code);
}
