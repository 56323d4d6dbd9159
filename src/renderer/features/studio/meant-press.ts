/** A press of Go live or Stop, by button or key; `atMs` is a monotonic clock. */
export interface Press {
  what: 'go-live' | 'stop';
  atMs: number;
}

/** A press this soon after one of the other kind is part of a double press: Go live and Stop share one place. */
const doublePressMs = 1_500;

/** Whether a press is intended, rather than the second half of a double press that now hits the other button. */
export function isMeant(press: Press, last: Press | undefined): boolean {
  return last === undefined || last.what === press.what || press.atMs - last.atMs >= doublePressMs;
}
