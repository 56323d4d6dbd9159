import type { OneClickEvent } from './one-click-event.ts';
import type { Upload } from './upload.ts';
import type { CarriedRate } from './upload-speeds.ts';

/** Not more often, since each report of what a way carries is stored. */
const tellCarriedEveryMs = 10_000;

export interface WayReportOptions {
  onEvent: (event: OneClickEvent) => void;
  /** What the way to the ingest carries, every 10 s. */
  onCarried: (carried: CarriedRate) => void;
}

/** Reports what was dropped on the way to the ingest, and from time to time what that carries. */
export class WayReport {
  readonly #options: WayReportOptions;
  #carriedToldMs = Number.NEGATIVE_INFINITY;

  constructor(options: WayReportOptions) {
    this.#options = options;
  }

  /**
   * To be called twice a second.
   *
   * @param isLowered whether less is sent than was chosen, since the way carries no more
   * @param nowMs monotonic
   */
  follow(upload: Pick<Upload, 'takeDropReport' | 'measureWay'>, isLowered: boolean, nowMs: number): void {
    const { onEvent, onCarried } = this.#options;
    const dropped = upload.takeDropReport();
    if (dropped) onEvent({ code: 'bitrate', event: { code: 'frames-dropped', severity: 'warn', ...dropped } });
    if (nowMs - this.#carriedToldMs < tellCarriedEveryMs) return;
    const carried = upload.measureWay()?.carried;
    if (carried === undefined) return;
    this.#carriedToldMs = nowMs;
    onCarried({ bps: carried.bps, isHeldBack: carried.isLimit || isLowered });
  }
}
