/** The code of a system error, such as `ENOENT`, or of another that has one as text; undefined for anything else. */
export function codeOf(error: unknown): string | undefined {
  const isCoded = typeof error === 'object' && error !== null && 'code' in error;
  return isCoded && typeof error.code === 'string' ? error.code : undefined;
}

/** What an error says; of anything else that was thrown, its text. */
export function sentenceOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
