/** Calls `onStall` once when `readProgress` has not moved for `stallTimeoutMs` while something is waiting. Returns its end. */
export function watchForStall(options: {
  stallTimeoutMs: number;
  /** Any number that moves when bytes do. */
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
