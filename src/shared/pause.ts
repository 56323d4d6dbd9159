/** Resolves after `ms`, or as soon as one of the signals aborts. It never rejects. */
export function pause(ms: number, ...signals: readonly AbortSignal[]): Promise<void> {
  return new Promise((resolve) => {
    const settle = () => {
      clearTimeout(timer);
      for (const signal of signals) signal.removeEventListener('abort', settle);
      resolve();
    };
    const timer = setTimeout(settle, ms);
    for (const signal of signals) signal.addEventListener('abort', settle);
    if (signals.some(({ aborted }) => aborted)) settle();
  });
}
