import { enhancedFeatures, type Refusal } from '../../../shared/model/refusal.ts';
import type { StreamLive } from '../../../shared/model/views.ts';
import { describeLossCause } from '../../../shared/words/loss-words.ts';
import { isThisComputer } from '../../../shared/words/publisher-words.ts';
import { formatDuration } from '../../format/duration.ts';

/** An encoder that wanted to publish and may not: which, why, and the remedy. */
export interface RefusedEncoder {
  /** Stays the same while it keeps trying. */
  id: string;
  title: string;
  sentence: string;
  remedy?: 'copy-key' | 'resume' | 'let-in';
}

/** Recently refused encoders, newest first; `nowMs` is the service's clock. */
export function listRefused({ hold, refusals }: Pick<StreamLive, 'hold' | 'refusals'>, nowMs: number): RefusedEncoder[] {
  const others = refusals.filter(({ reason }) => hold === undefined || reason.code !== 'stopped');
  const listed = others.map((refusal) => describeRefusal(refusal, nowMs));
  return hold && concernsEncoder(hold) ? [describeHold(hold, nowMs), ...listed] : listed;
}

/** After a one-click broadcast is stopped, nobody is refused until an encoder tries. */
function concernsEncoder({ isForeign, lastTriedAt }: NonNullable<StreamLive['hold']>): boolean {
  return isForeign || lastTriedAt !== undefined;
}

/** The stream refuses its own key after Stop, or waits for the encoder it refused. */
function describeHold(
  { since, lastTriedAt, letInAt, software }: NonNullable<StreamLive['hold']>,
  nowMs: number,
): RefusedEncoder {
  if (letInAt !== undefined) {
    return {
      id: `hold ${since} let in`,
      title: `${software ?? 'The encoder'} is allowed again`,
      sentence: 'It goes on air when it next tries. To speed this up, restart streaming there.',
    };
  }
  const remedy = 'let-in';
  if (lastTriedAt === undefined) {
    return {
      id: `hold ${since}`,
      title: 'Off air',
      sentence:
        'You stopped this stream, so its encoder is refused until you go live, allow it, or it stops trying for a minute.',
      remedy,
    };
  }
  return {
    id: `hold ${since} tried`,
    title: `${software ?? 'An encoder'} tried ${formatAgo(lastTriedAt, nowMs)} and was refused`,
    sentence: 'You stopped this stream. Stop the encoder too, or allow it.',
    remedy,
  };
}

function describeRefusal({ id, reason, lastAt, count, address, software }: Refusal, nowMs: number): RefusedEncoder {
  const who = software ?? 'An encoder';
  const ago = formatAgo(lastAt, nowMs);
  const times = count === 2 ? 'Twice' : `${count} times`;
  const from = `${count === 1 ? 'From' : `${times}, from`} ${isThisComputer(address) ? 'this computer' : address}.`;
  const sentence = describeLossCause(reason);
  const base = { id: String(id) };
  switch (reason.code) {
    case 'wrong-key':
      return {
        ...base,
        title: `${who} used a wrong stream key ${ago}`,
        sentence: `${from} Paste this stream's key into it.`,
        remedy: 'copy-key',
      };
    case 'old-key':
      return {
        ...base,
        title: `${who} used an old stream key ${ago}`,
        sentence: `${from} This stream has a new key: paste it into the encoder.`,
        remedy: 'copy-key',
      };
    case 'suspended':
      return {
        ...base,
        title: `${who} was refused ${ago}`,
        sentence: `${from} This stream is suspended.`,
        remedy: 'resume',
      };
    case 'stopped':
      return { ...base, title: `${who} was refused ${ago}`, sentence: `${from} You stopped this stream.`, remedy: 'let-in' };
    case 'codec': {
      const isFeature = Object.values<string>(enhancedFeatures).includes(reason.name);
      const inObs = isFeature ? '' : ' In OBS, choose both encoders in Settings → Output.';
      return { ...base, title: `${who} was refused ${ago}`, sentence: `${from} ${sentence}${inObs}` };
    }
    case 'in-use':
      return { ...base, title: `${who} was disconnected ${ago}`, sentence: `${from} ${sentence}` };
    case 'wrong-app':
    case 'rtmps':
    case 'certificate':
    case 'restless':
    case 'store-unreadable':
      return { ...base, title: `${who} was refused ${ago}`, sentence: `${from} ${sentence}` };
  }
}

/** In whole seconds, so that the text doesn't flicker. */
function formatAgo(atMs: number, nowMs: number): string {
  return `${formatDuration(Math.floor(Math.max(0, nowMs - atMs) / 1000))} ago`;
}
