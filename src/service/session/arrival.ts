/** When media arrived. */
export interface Arrival {
  /** By `Clock.monotonicMs`. */
  atMs: number;
  /** The same moment as a time of day, epoch milliseconds. */
  wallMs: number;
}
