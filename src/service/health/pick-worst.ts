import type { Verdict } from '../../shared/model/verdict.ts';

/** The first bad verdict of these, else the first of any severity; undefined if none applies. */
export function pickWorst<Each extends Verdict>(verdicts: readonly (Each | undefined)[]): Each | undefined {
  const found = verdicts.filter((verdict) => verdict !== undefined);
  return found.find(({ severity }) => severity === 'bad') ?? found[0];
}
