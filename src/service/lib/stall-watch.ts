/** Calls `onStall` once if `readProgress` has not changed for `stallTimeoutMs` while something waits. Returns a function that stops it. */
export function watchForStall(options: {
  stallTimeoutMs: number;
  /** Any number that changes with progress. */
  readProgress(): number;
  isWaiting(): boolean;
  onStall(): void;
}): () => void {
  const { stallTimeoutMs, readProgress, isWaiting, onStall } = options;
  const checksPerTimeout = 5;
  let last = readProgress();
  let checksWithoutProgress = 0;
  const timer = setInterval(() => {
    const now = readProgress();
    checksWithoutProgress = now === last && isWaiting() ? checksWithoutProgress + 1 : 0;
    last = now;
    if (checksWithoutProgress < checksPerTimeout) return;
    clearInterval(timer);
    onStall();
  }, stallTimeoutMs / checksPerTimeout);
  return () => clearInterval(timer);
}
