import { z } from 'zod';
import { EncoderName } from '../../shared/model/encoder.ts';
import type { KeptRecord } from '../store/kept-record.ts';
import { assumeCores } from '../transcode/encode-cost.ts';
import { nameProcessors, ownProcessors, type Processors } from '../transcode/processors.ts';

/** CPU seconds for a thousand million pixels, by encoder. */
const Costs = z.partialRecord(EncoderName, z.number().positive());

/** The costs of encoding, and the processors they were measured on (`nameProcessors`). An earlier version kept only the costs. */
export const CostRecord = z.union([
  z.object({ processors: z.string().optional(), costs: Costs }),
  Costs.transform((costs) => ({ costs })),
]);
export type CostRecord = { processors?: string | undefined; costs: z.infer<typeof Costs> };

const gigapixel = 1e9;
/** The weight of a new measurement: a picture that is hard to encode must not decide what all others are expected to cost. */
const weight = 0.2;

/** The costs of encoding on this computer, as measured in earlier broadcasts. Measurements of another computer are forgotten. */
export class EncodeCosts {
  readonly #record: KeptRecord<CostRecord>;
  readonly #processors: string;

  /** @param processors those of this computer */
  constructor(record: KeptRecord<CostRecord>, processors = nameProcessors()) {
    this.#record = record;
    this.#processors = processors;
    const { processors: measuredOn, costs } = record.get();
    if (measuredOn !== processors) record.set({ processors, costs: measuredOn === undefined ? costs : {} });
  }

  /** Notes a broadcast's use of CPU seconds, for this many pixels. */
  learn(encoder: EncoderName, { cpuSeconds, pixels }: { cpuSeconds: number; pixels: number }): void {
    if (!(cpuSeconds > 0 && pixels > 0)) return;
    const measured = (cpuSeconds * gigapixel) / pixels;
    const { costs } = this.#record.get();
    const known = costs[encoder];
    const cost = known === undefined ? measured : known + (measured - known) * weight;
    this.#record.set({ processors: this.#processors, costs: { ...costs, [encoder]: cost } });
  }

  /** How many cores it takes to encode this many pixels per second. */
  estimate(encoder: EncoderName, pixelsPerSecond: number): { cores: number; isMeasured: boolean } {
    const known = this.#record.get().costs[encoder];
    return known === undefined
      ? { cores: assumeCores(pixelsPerSecond, encoder), isMeasured: false }
      : { cores: (known * pixelsPerSecond) / gigapixel, isMeasured: true };
  }
}

/** With fewer frames, the encoder's start would weigh too much. */
const measureFrames = 600;

/** Measures how much CPU time an ffmpeg takes for how many frames, if the system reports a process's CPU time. */
export class CostMeter {
  readonly #processors: Pick<Processors, 'readCpuSeconds'>;
  #since: { pid: number; cpuSeconds: number; frame: number } | undefined;

  constructor(processors: Pick<Processors, 'readCpuSeconds'> = ownProcessors) {
    this.#processors = processors;
  }

  /** Takes how many frames the process has encoded so far. Returns what it used since the last result. */
  push(pid: number | undefined, frame: number | undefined): { cpuSeconds: number; frames: number } | undefined {
    if (pid === undefined || frame === undefined) return undefined;
    const since = this.#since;
    if (since?.pid === pid && frame - since.frame < measureFrames) return undefined;
    const cpuSeconds = this.#processors.readCpuSeconds(pid);
    if (cpuSeconds === undefined) return undefined;
    this.#since = { pid, cpuSeconds, frame };
    return since?.pid === pid ? { cpuSeconds: cpuSeconds - since.cpuSeconds, frames: frame - since.frame } : undefined;
  }
}
