/** Prints why a command can't go on, without a stack, and exits with 1. */
export function exitWithReason(error: unknown): never {
  console.error(error instanceof Error ? error.message : error);
  process.exit(1);
}
