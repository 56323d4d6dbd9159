import type { Severity } from '../../shared/model/live.ts';
import type { Verdict } from '../../shared/model/verdict.ts';
import { describeVerdict, titleOf } from '../../shared/words/verdict-words.ts';

/** The trouble last announced, at its worst; without a title there is none. */
export interface SaidTrouble {
  severity: Severity;
  title: string;
  /** When its one click failed, epoch milliseconds: each failure is another trouble. */
  failedAt: number | undefined;
}

/** What to announce, if anything; an urgent one interrupts whatever is being read. */
export interface Announcement {
  said: SaidTrouble;
  sentence: string | undefined;
  isUrgent: boolean;
}

export const nothingSaid: SaidTrouble = { severity: 'good', title: '', failedAt: undefined };

const rank: Readonly<Record<Severity, number>> = { good: 0, warn: 1, bad: 2 };

/** The trouble of a verdict; `failedAt` is when one click last failed, if it has. */
export function troubleOf(verdict: Verdict | undefined, failedAt?: number): SaidTrouble {
  if (verdict === undefined || verdict.severity === 'good') return nothingSaid;
  return {
    severity: verdict.severity,
    title: titleOf(verdict),
    failedAt: verdict.code === 'go-live-failed' ? failedAt : undefined,
  };
}

/** Whether it is the same trouble, however bad. */
export function isSameTrouble(one: SaidTrouble, other: SaidTrouble): boolean {
  return one.title === other.title && one.failedAt === other.failedAt;
}

/**
 * The news in a verdict: another trouble, the same one but worse, or its end. Changed sentences aren't news, since they count seconds.
 *
 * @param clockOffsetMs how far the service's clock is ahead of the page's
 */
export function announceVerdict(
  said: SaidTrouble,
  verdict: Verdict | undefined,
  clockOffsetMs: number,
  failedAt?: number,
): Announcement {
  const trouble = troubleOf(verdict, failedAt);
  const isNews = !isSameTrouble(trouble, said) || rank[trouble.severity] > rank[said.severity];
  // Trouble that gets better and then worse again isn't news either.
  if (!isNews) return { said, sentence: undefined, isUrgent: false };
  if (verdict === undefined) return { said: trouble, sentence: undefined, isUrgent: false };
  const { title, sentence } = describeVerdict(verdict, clockOffsetMs);
  if (trouble.title === '') return { said: trouble, sentence: title, isUrgent: false };
  const whole = [`${title}.`, sentence].filter(Boolean).join(' ');
  return { said: trouble, sentence: whole, isUrgent: trouble.severity === 'bad' };
}
