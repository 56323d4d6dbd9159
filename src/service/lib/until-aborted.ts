/**
 * What `promise` gives, or a rejection with the signal's reason as soon as it aborts: for work that cannot be ended itself, such as
 * a `stat` on a network drive that hangs. What comes of the work then is dropped, a failure too.
 */
export async function untilAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  const aborted = Promise.withResolvers<never>();
  const onAbort = () => aborted.reject(signal.reason);
  if (signal.aborted) onAbort();
  signal.addEventListener('abort', onAbort, { once: true });
  try {
    return await Promise.race([aborted.promise, promise]);
  } finally {
    signal.removeEventListener('abort', onAbort);
  }
}
