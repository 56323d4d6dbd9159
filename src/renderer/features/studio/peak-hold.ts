/** How long the highest peak stays marked: people look away from meters. */
const holdMs = 2_000;
/** How long a channel that went over 0 dB stays marked: as long as Health looks back for clipping. */
const overMs = 10_000;

/** The marks beside the bar of one channel. Times are of the page's monotonic clock. */
export interface HeldPeak {
  peakDb: number;
  atMs: number;
  /** When it was last above 0 dB, where players clip. */
  overAtMs: number | undefined;
}

/** Takes the next peak of a channel. */
export function holdPeak(held: HeldPeak | undefined, peakDb: number, nowMs: number): HeldPeak {
  const overAtMs = peakDb > 0 ? nowMs : held?.overAtMs;
  const isHeld = held !== undefined && held.peakDb > peakDb && nowMs - held.atMs < holdMs;
  return isHeld ? { ...held, overAtMs } : { peakDb, atMs: nowMs, overAtMs };
}

/** Whether the channel was recently over 0 dB. */
export function wasOver({ overAtMs }: HeldPeak, nowMs: number): boolean {
  return overAtMs !== undefined && nowMs - overAtMs < overMs;
}
