import type { CarriedRate, UploadSpeeds } from './upload-speeds.ts';

/** Broadcasts report every 10 s; an older report means nothing is being sent now. */
const currentMs = 15_000;
/** Reports within this time of a note count towards it; timers may fire early. */
const noteEveryMs = 9_000;

interface Way {
  /** By stream. */
  rates: Map<string, CarriedRate & { atMs: number }>;
  notedAtMs: number | undefined;
}

/**
 * Uploads to the same ingest share its way out, so what it carries and whether it holds them back is known only for their sum.
 */
export class SharedUploads {
  readonly #speeds: Pick<UploadSpeeds, 'note'>;
  readonly #monotonicMs: () => number;
  readonly #isSent: (streamId: string) => boolean;
  /** By ingest. */
  readonly #ways = new Map<string, Way>();

  /** @param isSent whether a stream's broadcast is still being sent */
  constructor(
    speeds: Pick<UploadSpeeds, 'note'>,
    { monotonicMs, isSent }: { monotonicMs: () => number; isSent: (streamId: string) => boolean },
  ) {
    this.#speeds = speeds;
    this.#monotonicMs = monotonicMs;
    this.#isSent = isSent;
  }

  /** Takes the bitrate of a stream's upload, every 10 s; notes the sum as often. */
  report(ingest: string, streamId: string, carried: CarriedRate): void {
    const nowMs = this.#monotonicMs();
    const way = this.#ways.get(ingest) ?? { rates: new Map(), notedAtMs: undefined };
    this.#ways.set(ingest, way);
    way.rates.set(streamId, { ...carried, atMs: nowMs });
    if (way.notedAtMs !== undefined && nowMs - way.notedAtMs < noteEveryMs) return;
    way.notedAtMs = nowMs;
    const rates = [...this.#current(ingest).values()];
    this.#speeds.note(ingest, { bps: sumBps(rates), isHeldBack: rates.some(({ isHeldBack }) => isHeldBack) });
  }

  /** The current bitrate of other streams' uploads to an ingest, in bit/s. */
  othersBps(ingest: string, streamId: string): number {
    return sumBps([...this.#current(ingest)].flatMap(([id, rate]) => (id === streamId ? [] : [rate])));
  }

  /** The rates of the uploads that still report. */
  #current(ingest: string): Way['rates'] {
    const rates = this.#ways.get(ingest)?.rates ?? new Map();
    for (const [id, { atMs }] of rates) if (!this.#isSent(id) || this.#monotonicMs() - atMs > currentMs) rates.delete(id);
    return rates;
  }
}

function sumBps(rates: readonly CarriedRate[]): number {
  return rates.reduce((sum, { bps }) => sum + bps, 0);
}
