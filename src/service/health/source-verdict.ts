import type { AwayPart } from '../../shared/model/capture.ts';
import type { OneClickState } from '../../shared/model/live.ts';
import type { VerdictOf } from '../../shared/model/verdict.ts';
import type { HealthFacts } from './health-facts.ts';

/**
 * The verdict on each part of our own source that is away: the picture first, then the sound, then the inset, and last a file
 * that was cut short, which is over, since something plays again. Without those of {@link endedVerdicts}.
 */
export function sourceVerdicts({ oneClick }: HealthFacts): VerdictOf<'source-away'>[] {
  if (oneClick.kind !== 'running') return [];
  const away = listAway(oneClick).filter((part) => !isSpare(part, oneClick));
  const isCut = ({ fault }: AwayPart) => fault.code === 'cut-short';
  return [...away.filter((part) => !isCut(part)), ...away.filter(isCut)].map(name);
}

/** The parts that have ended as planned while others continue, such as music before a talk. Judged last, so that they hide no trouble. */
export function endedVerdicts({ oneClick }: HealthFacts): VerdictOf<'source-away'>[] {
  if (oneClick.kind !== 'running') return [];
  return listAway(oneClick)
    .filter((part) => isSpare(part, oneClick))
    .map(name);
}

/** The devices whose clocks are off: nothing is away, but their sound has gaps or jumps. */
export function deviceDriftVerdicts({ oneClick }: HealthFacts): VerdictOf<'device-drifts'>[] {
  if (oneClick.kind !== 'running') return [];
  const away = oneClick.away.filter(({ fault }) => fault.code === 'off-clock');
  return away.map((part) => ({ code: 'device-drifts', severity: 'warn', away: part }));
}

type Running = Extract<OneClickState, { kind: 'running' }>;

const order: readonly AwayPart['part'][] = ['picture', 'sound', 'inset'];

/** The parts that viewers miss, in this order. */
function listAway({ away }: Running): AwayPart[] {
  return order.flatMap((part) => away.filter((each) => each.part === part && each.fault.code !== 'off-clock'));
}

function name(away: AwayPart): VerdictOf<'source-away'> {
  return { code: 'source-away', severity: isBad(away) ? 'bad' : 'warn', away };
}

/** Whether a part has ended as planned, and viewers still have a picture and another sound. */
function isSpare({ part, fault }: AwayPart, { source, away }: Running): boolean {
  if (fault.code !== 'ended' || part === 'picture') return false;
  const hasEnded = (input: number) => away.some((each) => each.input === input && each.fault.code === 'ended');
  return part === 'inset' || source.sound.inputs.some(({ isMuted }, input) => !isMuted && !hasEnded(input));
}

/** Less serious faults: viewers have a picture, or the files ended as planned. */
const mildCodes: readonly AwayPart['fault']['code'][] = ['track-ended', 'cut-short', 'too-slow', 'ended'];

/** Whether viewers have no picture at all. Losing one of several sounds is less serious. */
function isBad({ part, fault }: AwayPart): boolean {
  return part === 'picture' && !mildCodes.includes(fault.code);
}
