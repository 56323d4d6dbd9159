import { formatDuration } from '../../../shared/format-duration.ts';
import type { Refusal, RefusalReason } from '../../../shared/model/refusal.ts';
import type { StreamLive } from '../../../shared/model/views.ts';
import { suspendedStream } from '../../../shared/words/advice-words.ts';
import { describeRefusalForOwner } from '../../../shared/words/loss-words.ts';
import { isThisComputer } from '../../../shared/words/publisher-words.ts';

/** An encoder that wanted to publish and may not: which, why, and the remedy. */
export interface RefusedEncoder {
  /** Stays the same while it keeps trying. */
  id: string;
  title: string;
  sentence: string;
  /** The same for screen readers, without its age: they hear it once. Absent if it follows what the user just did. */
  news?: string;
  remedy?: 'copy-key' | 'resume' | 'let-in';
}

/** Recently refused encoders, newest first; `nowMs` is the service's clock. */
export function listRefused({ hold, refusals }: Pick<StreamLive, 'hold' | 'refusals'>, nowMs: number): RefusedEncoder[] {
  const others = refusals.filter(({ reason }) => hold === undefined || reason.code !== 'stopped');
  const listed = others.map((refusal) => describeRefusal(refusal, nowMs));
  return hold && concernsEncoder(hold) ? [describeHold(hold, nowMs), ...listed] : listed;
}

/**
 * Splits {@link listRefused} into what the off-air screen shows in place of the monitor, and what is shown above it. A suspended stream can
 * always be resumed from that screen, whoever was refused for another reason.
 */
export function splitRefused(
  { stream, ...live }: Pick<StreamLive, 'hold' | 'refusals'> & { stream: Pick<StreamLive['stream'], 'air' | 'suspended'> },
  nowMs: number,
): { news?: RefusedEncoder; above: RefusedEncoder[] } {
  const listed = listRefused(live, nowMs);
  if (stream.air.kind !== 'off-air') return { above: listed };
  const [newest, ...above] = listed;
  if (stream.suspended === true && newest?.remedy !== 'resume') return { news: suspended, above: listed };
  return { ...(newest && { news: newest }), above };
}

const suspended: RefusedEncoder = {
  id: 'suspended',
  title: 'Suspended',
  sentence: suspendedStream,
  remedy: 'resume',
};

/** After a one-click broadcast is stopped, nobody is refused until an encoder tries. */
function concernsEncoder({ isForeign, lastTriedAt }: NonNullable<StreamLive['hold']>): boolean {
  return isForeign || lastTriedAt !== undefined;
}

/** The stream refuses its own key after Stop, or waits for the encoder it refused. */
function describeHold({ id, lastTriedAt, letInAt, software }: NonNullable<StreamLive['hold']>, nowMs: number): RefusedEncoder {
  if (letInAt !== undefined) {
    return {
      id: `hold ${id} let in`,
      title: `${software ?? 'The encoder'} is allowed again`,
      sentence: 'It goes on air when it next tries. To speed this up, restart streaming there.',
    };
  }
  const remedy = 'let-in';
  const who = software ?? 'An encoder';
  if (lastTriedAt === undefined) {
    return {
      id: `hold ${id}`,
      title: 'Off air',
      sentence:
        'You stopped this stream, so its encoder is refused until you allow it again, or until it has stopped trying for a minute.',
      remedy,
    };
  }
  const sentence = 'You stopped this stream. Stop the encoder too, or allow it.';
  return {
    id: `hold ${id} tried`,
    title: `${who} tried ${formatAgo(lastTriedAt, nowMs)} and was refused`,
    news: `${who} tried and was refused. ${sentence}`,
    sentence,
    remedy,
  };
}

function describeRefusal(refusal: Refusal, nowMs: number): RefusedEncoder {
  const { id, lastAt, count, address, software, reason } = refusal;
  const times = count === 2 ? 'Twice' : `${count} times`;
  const from = `${count === 1 ? 'From' : `${times}, from`} ${isThisComputer(address) ? 'this computer' : address}.`;
  const { what, why } = describeRefusalForOwner(reason);
  const remedy = remedies[reason.code];
  const title = `${software ?? 'An encoder'} ${what}`;
  return {
    id: String(id),
    title: `${title} ${formatAgo(lastAt, nowMs)}`,
    sentence: `${from} ${why}`,
    news: `${title}. ${why}`,
    ...(remedy !== undefined && { remedy }),
  };
}

/** What the owner can do about a refusal, by its code. */
const remedies: { [Code in RefusalReason['code']]?: RefusedEncoder['remedy'] } = {
  'wrong-key': 'copy-key',
  'old-key': 'copy-key',
  suspended: 'resume',
  stopped: 'let-in',
};

/** In whole seconds, so that the text doesn't flicker. */
function formatAgo(atMs: number, nowMs: number): string {
  return `${formatDuration(Math.floor(Math.max(0, nowMs - atMs) / 1000))} ago`;
}
