/**
 * What several parts failed with as they were closed, as one error that names each: `AsyncDisposableStack` nests them
 * (`SuppressedError`, ECMAScript §20.5.8), the first to fail innermost, and logs show the outermost alone.
 */
export function describeCloseFailure(error: unknown): unknown {
  const failures = listFailures(error);
  if (failures.length === 1) return failures[0];
  const sentences = failures.map((failure) => (failure instanceof Error ? failure.message : String(failure)));
  return new AggregateError(failures, sentences.join('; '));
}

/** The first to fail comes first. */
function listFailures(error: unknown): unknown[] {
  return error instanceof SuppressedError ? [...listFailures(error.suppressed), ...listFailures(error.error)] : [error];
}
