/** How long a connection to an ingest must have lasted to count as working. */
const steadyMs = 10_000;

/** Whether a connection that ends now worked, so that its loss is a new problem. Times are those of `Clock.monotonicMs`. */
export function wasSteady(openSinceMs: number, nowMs: number): boolean {
  return nowMs - openSinceMs > steadyMs;
}
