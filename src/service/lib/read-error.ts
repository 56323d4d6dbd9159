/** The code of a system error, such as `ENOENT`, or any other text in an error's `code`; undefined for anything else. */
export function codeOf(error: unknown): string | undefined {
  const isCoded = typeof error === 'object' && error !== null && 'code' in error;
  return isCoded && typeof error.code === 'string' ? error.code : undefined;
}

/** An error's message; for any other thrown value, its text. */
export function sentenceOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
