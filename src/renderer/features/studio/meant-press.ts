/** A press of Go live or of Stop, by button or by key; `atMs` is of one clock that only goes forward. */
export interface Press {
  what: 'go-live' | 'stop';
  atMs: number;
}

/** A press this soon after one of the other kind belongs to it: Go live and Stop are in the same place. */
const doublePressMs = 1_500;

/** Whether a press is meant, and not the second half of a double press that the first half has given another meaning. */
export function isMeant(press: Press, last: Press | undefined): boolean {
  return last === undefined || last.what === press.what || press.atMs - last.atMs >= doublePressMs;
}
