import { explainViolations } from '../../shared/words/violation-words.ts';
import type { Failure } from '../client/failure.ts';
import { Notice } from './notice.tsx';

/** Why the last request failed, with the rules that the input breaks; nothing if it didn't fail. */
export function FailureNotice({ failure }: { failure: Failure | undefined }) {
  if (failure === undefined) return null;
  const { sentence, violations } = failure;
  if (violations.length === 0) {
    return (
      <Notice isAnswer severity="bad">
        {sentence}
      </Notice>
    );
  }
  return (
    <Notice isAnswer severity="bad" title={sentence}>
      {explainViolations(violations).map((rule) => (
        <p key={rule}>{rule}</p>
      ))}
    </Notice>
  );
}
