import type { AwayPart } from '../../shared/model/capture.ts';
import type { VerdictOf } from '../../shared/model/verdict.ts';
import type { HealthFacts } from './health-facts.ts';

/**
 * What is wrong with each part of our own source that is away: the picture first, then the sound, then the inset, and last a file that was
 * cut short, which is over: something plays again.
 */
export function sourceVerdicts({ oneClick }: HealthFacts): VerdictOf<'source-away'>[] {
  if (oneClick.kind !== 'running') return [];
  const away = order.flatMap((part) => oneClick.away.filter((each) => each.part === part && each.fault.code !== 'off-clock'));
  const isCut = ({ fault }: AwayPart) => fault.code === 'cut-short';
  return [...away.filter((part) => !isCut(part)), ...away.filter(isCut)].map((part) => ({
    code: 'source-away',
    severity: isBad(part) ? 'bad' : 'warn',
    away: part,
  }));
}

/** The devices whose clocks are off: nothing is away, but their sound has gaps or jumps. */
export function deviceDriftVerdicts({ oneClick }: HealthFacts): VerdictOf<'device-drifts'>[] {
  if (oneClick.kind !== 'running') return [];
  const away = oneClick.away.filter(({ fault }) => fault.code === 'off-clock');
  return away.map((part) => ({ code: 'device-drifts', severity: 'warn', away: part }));
}

const order: readonly AwayPart['part'][] = ['picture', 'sound', 'inset'];

/** Less serious: viewers have a picture, or the files ended as planned. */
const mildCodes: readonly AwayPart['fault']['code'][] = ['track-ended', 'cut-short', 'too-slow', 'ended'];

/** Viewers have no picture at all. One of several sounds is less. */
function isBad({ part, fault }: AwayPart): boolean {
  return part === 'picture' && !mildCodes.includes(fault.code);
}
