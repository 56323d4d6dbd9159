/** A press, by button or key: of Go live or Stop, unless it says otherwise; `atMs` is a monotonic clock. */
export interface Press<What extends string = 'go-live' | 'stop'> {
  what: What;
  atMs: number;
}

/** A press this soon after one of another kind is part of a double press: the buttons share one place. */
const doublePressMs = 1_500;

/** Whether a press is intended, rather than the second half of a double press that now hits the other button. */
export function isMeant<What extends string>(press: Press<What>, last: Press<What> | undefined): boolean {
  return last === undefined || last.what === press.what || press.atMs - last.atMs >= doublePressMs;
}
