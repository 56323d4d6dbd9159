import { ORPCError } from '@orpc/client';
import { ErrorDetails } from '../../shared/errors.ts';
import type { RemoteFailure } from '../../shared/model/remote-failure.ts';
import type { Violation } from '../../shared/model/violation.ts';
import { explainViolations, summarizeViolations } from '../../shared/words/violation-words.ts';

/** A failed call, for people. */
export interface Failure {
  /** A code of the error table, or {@link unreachedCode}. */
  code: string;
  /** What is wrong; for input that breaks rules, only that it does. */
  sentence: string;
  /** Rules that the input breaks. */
  violations: readonly Violation[];
  /** The file or folder at fault, if the call was refused for one. */
  path?: string;
  /** Why a remote service failed, if one did. */
  remoteFailure?: RemoteFailure;
}

/** The code of a call that the service didn't answer. */
export const unreachedCode = 'UNKNOWN';

/** The code of a call that was sent and may have been carried out, but whose answer was lost. */
const unansweredCode = 'UNANSWERED';

/** The failure for an error that a call threw. */
export function readFailure(error: unknown): Failure {
  if (!(error instanceof ORPCError)) {
    return {
      code: unreachedCode,
      sentence: "Can't reach the service. Try again when it's back.",
      violations: [],
    };
  }
  const details = ErrorDetails.safeParse(error.data).data;
  const violations = details?.violations ?? [];
  return {
    code: error.code,
    sentence: violations.length > 0 ? summarizeViolations(violations) : error.message,
    violations,
    ...(details?.pathFault && { path: details.pathFault.path }),
    ...(details?.remoteFailure && { remoteFailure: details.remoteFailure }),
  };
}

/** The failure with the rules that the input breaks, as one text. */
export function tellWhole({ sentence, violations }: Pick<Failure, 'sentence' | 'violations'>): string {
  return [sentence, ...explainViolations(violations)].join(' ');
}

/** Failures of a remote service that may still have done what was asked. */
const openRemoteFailures: ReadonlySet<string> = new Set(['timed-out', 'closed'] satisfies RemoteFailure['code'][]);

/** The failure of a call that may still have been carried out, with what to do about that; undefined for any other failure. */
export function describeUnanswered(
  failure: Failure,
  { isSent, remedy }: { isSent: boolean; remedy: string },
): Failure | undefined {
  if (failure.code === unreachedCode && isSent) {
    return { ...failure, code: unansweredCode, sentence: `The service didn't answer. ${remedy}` };
  }
  if (!openRemoteFailures.has(failure.remoteFailure?.code ?? '')) return undefined;
  return { ...failure, sentence: `${failure.sentence} ${remedy}` };
}
