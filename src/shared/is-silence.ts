import type { Verdict, VerdictOf } from './model/verdict.ts';

/** Whether this verdict is that viewers hear nothing, which its owner may have meant. */
export function isSilence(verdict: Verdict | undefined): verdict is VerdictOf<'silent' | 'never-sound'> {
  return verdict?.code === 'silent' || verdict?.code === 'never-sound';
}
