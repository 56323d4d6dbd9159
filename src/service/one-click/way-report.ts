import type { OneClickEvent } from './one-click-event.ts';
import type { Upload } from './upload.ts';
import type { CarriedRate } from './upload-speeds.ts';

/** Not more often, since each report is stored. */
const tellCarriedEveryMs = 10_000;

export interface WayReportOptions {
  onEvent: (event: OneClickEvent) => void;
  /** Called every 10 s with the bitrate that the way to the ingest carries. */
  onCarried: (carried: CarriedRate) => void;
}

/** Reports what was dropped on the way to the ingest, and every 10 s what the way carries. */
export class WayReport {
  readonly #options: WayReportOptions;
  #carriedToldMs = Number.NEGATIVE_INFINITY;

  constructor(options: WayReportOptions) {
    this.#options = options;
  }

  /**
   * To be called twice a second.
   *
   * @param isLowered whether the bitrate is below the chosen one because the way carries no more
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
