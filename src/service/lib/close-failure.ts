import { sentenceOf } from './read-error.ts';

/**
 * Flattens the failures of several parts that failed to close into one error that names each. `AsyncDisposableStack` nests them
 * (`SuppressedError`, ECMAScript §20.5.8) with the first failure innermost, and logs show only the outermost.
 */
export function describeCloseFailure(error: unknown): unknown {
  const failures = listFailures(error);
  if (failures.length === 1) return failures[0];
  const sentences = failures.map(sentenceOf);
  return new AggregateError(failures, sentences.join('; '));
}

/** The failures, first one first. */
function listFailures(error: unknown): unknown[] {
  return error instanceof SuppressedError ? [...listFailures(error.suppressed), ...listFailures(error.error)] : [error];
}
