import type { Severity, Verdict } from '../../shared/model/live.ts';

/** The trouble that screen readers know of; without a title there is none. */
export interface SaidTrouble {
  severity: Severity;
  title: string;
}

/** What to say now, if anything; urgent is at once, over whatever is being read. */
export interface Announcement {
  said: SaidTrouble;
  sentence: string | undefined;
  isUrgent: boolean;
}

export const nothingSaid: SaidTrouble = { severity: 'good', title: '' };

const rank: Readonly<Record<Severity, number>> = { good: 0, warn: 1, bad: 2 };

/** The trouble of a verdict. */
export function troubleOf(verdict: Pick<Verdict, 'severity' | 'title'> | undefined): SaidTrouble {
  if (verdict === undefined || verdict.severity === 'good') return nothingSaid;
  return { severity: verdict.severity, title: verdict.title };
}

/** What is news in a verdict: another trouble, the same one when it gets worse, and that it is over. Sentences count seconds: they are none. */
export function announceVerdict(said: SaidTrouble, verdict: Verdict | undefined): Announcement {
  const trouble = troubleOf(verdict);
  const isNews = trouble.title !== said.title || rank[trouble.severity] > rank[said.severity];
  if (!isNews || verdict === undefined) return { said: trouble, sentence: undefined, isUrgent: false };
  if (trouble.title === '') return { said: trouble, sentence: verdict.title, isUrgent: false };
  const sentence = [`${verdict.title}.`, verdict.sentence].filter(Boolean).join(' ');
  return { said: trouble, sentence, isUrgent: trouble.severity === 'bad' };
}
