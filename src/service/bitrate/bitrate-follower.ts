import type { BitrateEvent } from '../../shared/model/bitrate-event.ts';
import { runHarmlessly } from '../lib/faults.ts';
import type { Clock } from '../ports.ts';
import type { WayMeasure } from '../publishing/media-publisher.ts';
import {
  type BitrateBounds,
  type BitrateDecision,
  type BitrateState,
  type ControlEvent,
  isKept,
  provenBps,
  startBitrate,
  stepBitrate,
} from './bitrate-control.ts';

/** How often the way out is measured. */
const measureEveryMs = 250;

export interface BitrateFollowerOptions {
  bounds: BitrateBounds;
  clock: Pick<Clock, 'monotonicMs'>;
  /** Measures the way out; undefined while it isn't connected. */
  measure: () => WayMeasure | undefined;
  /** Gives the encoder another bitrate; resolves once it uses it, or with false if it can't. */
  replace: (bitrateBps: number) => Promise<boolean>;
  onEvent: (event: BitrateEvent) => void;
}

/** Keeps an encoder's bitrate at the capacity of its way out: {@link stepBitrate} decides, this measures and acts. */
export class BitrateFollower {
  readonly #options: BitrateFollowerOptions;
  #state: BitrateState;
  #timer: NodeJS.Timeout | undefined;
  #isClosed = false;

  constructor(options: BitrateFollowerOptions) {
    this.#options = options;
    this.#state = startBitrate(options.bounds, options.clock.monotonicMs());
  }

  /** The video's current bitrate. */
  get bitrateBps(): number {
    return this.#state.bitrateBps;
  }

  /** See {@link provenBps}. */
  get provenBps(): number {
    return provenBps(this.#state);
  }

  /** Whether it can't be lowered further. */
  get isLowest(): boolean {
    return this.#state.bitrateBps <= this.#state.floorBps;
  }

  /** Whether the last attempt to change the encoder's bitrate failed. */
  get isKept(): boolean {
    return isKept(this.#state);
  }

  /** The way out is connected, for the first time or again. */
  connected(): void {
    this.#take({ kind: 'connected' });
    this.#timer ??= setInterval(() => runHarmlessly(() => this.#measure(), 'following the bitrate'), measureEveryMs);
  }

  /** The way out isn't connected: nothing can be measured. */
  disconnected(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
    this.#take({ kind: 'disconnected' });
  }

  close(): void {
    this.#isClosed = true;
    clearInterval(this.#timer);
  }

  #measure(): void {
    const way = this.#options.measure();
    if (way === undefined) return;
    const { queueMs, carried } = way;
    this.#take({ kind: 'measured', queueMs, limitBps: carried?.isLimit ? carried.bps : undefined });
  }

  #take(event: ControlEvent): void {
    const wasPending = this.#state.pending;
    const { state, decision } = stepBitrate(this.#state, event, this.#options.clock.monotonicMs());
    this.#state = state;
    if (wasPending !== undefined && state.pending === undefined && event.kind !== 'replaced') this.#tellKept();
    if (decision === undefined) return;
    this.#options.onEvent(formatEvent(decision));
    if (decision.code !== 'at-floor') runHarmlessly(() => this.#replace(decision.toBps), 'replacing an encoder');
  }

  async #replace(toBps: number): Promise<void> {
    let isReplaced = false;
    try {
      isReplaced = await this.#options.replace(toBps);
    } finally {
      // A replacement that took too long may have been given up meanwhile.
      if (!this.#isClosed && this.#state.pending?.toBps === toBps)
        this.#take({ kind: isReplaced ? 'replaced' : 'not-replaced' });
    }
  }

  #tellKept(): void {
    if (!this.#isClosed) this.#options.onEvent({ code: 'kept', severity: 'warn', bitrateBps: this.#state.bitrateBps });
  }
}

function formatEvent(decision: BitrateDecision): BitrateEvent {
  switch (decision.code) {
    case 'lower': {
      const { fromBps, toBps, queueMs } = decision;
      return { code: 'lowered', severity: 'warn', fromBps, toBps, queueMs };
    }
    case 'raise':
      return { code: 'raised', severity: 'good', fromBps: decision.fromBps, toBps: decision.toBps };
    case 'at-floor':
      return { code: 'at-floor', severity: 'warn', bitrateBps: decision.bitrateBps, queueMs: decision.queueMs };
  }
}
