import type { FragmentSample } from '../media/fmp4-segment.ts';
import { maxAudioJitterMs } from '../media/rounding.ts';
import type { AudioConfig } from '../media/track-config.ts';

interface AudioFrame {
  data: Buffer;
  /** In ticks of the configuration's timescale, as all audio times here. */
  dts: number;
  /** How long it lasts. */
  duration: number;
  config: AudioConfig;
}

/** Audio taken out for one part: times in ticks of the configuration's timescale. */
export interface AudioRun {
  config: AudioConfig;
  baseDecodeTime: number;
  samples: FragmentSample[];
}

/** A frame that overlaps the one before by more than this is dropped; less is the encoder's jitter. */
const maxOverlapMs = 50;

/**
 * The audio that waits to be put into segments, on an exact timeline.
 *
 * Timestamps of RTMP are in whole milliseconds, but a frame lasts as many samples as it has: so each frame starts where the one
 * before ended, as long as its timestamp agrees within rounding and jitter. Rounding does not add up, and a real gap stays a gap.
 */
export class AudioTrack {
  #frames: AudioFrame[] = [];
  #expectedDts: number | undefined;
  #config: AudioConfig | undefined;
  #sizeBytes = 0;
  /** End of the audio already taken, in ticks of `config`. */
  #taken: { config: AudioConfig; endDts: number } | undefined;

  get config(): AudioConfig | undefined {
    return this.#config;
  }

  /** The next frames are coded with this. */
  setConfig(config: AudioConfig): void {
    // The timeline is counted in samples: another sample rate starts another one.
    if (config.timescale !== this.#config?.timescale) this.#expectedDts = undefined;
    this.#config = config;
  }

  get count(): number {
    return this.#frames.length;
  }

  get sizeBytes(): number {
    return this.#sizeBytes;
  }

  get startMs(): number | undefined {
    const first = this.#frames[0];
    return first && toMs(first.dts, first.config);
  }

  /** The duration of the first waiting frame, in milliseconds. */
  get firstFrameMs(): number | undefined {
    const first = this.#frames[0];
    return first && toMs(first.duration, first.config);
  }

  /** The end of the waiting audio, in milliseconds. */
  get endMs(): number | undefined {
    const last = this.#frames.at(-1);
    return last && toMs(last.dts + last.duration, last.config);
  }

  /** The configuration of the newest waiting frame. */
  get lastConfig(): AudioConfig | undefined {
    return this.#frames.at(-1)?.config;
  }

  /** Adds a frame; ignored as long as there is no configuration. */
  push(timeMs: number, data: Buffer): void {
    const config = this.#config;
    if (config === undefined || data.length === 0) return;
    const stamped = fromMs(timeMs, config);
    const duration = config.format.measureFrame(data, config);
    const dts = this.#place(stamped, duration, config);
    if (dts === undefined) return;
    this.#expectedDts = dts + duration;
    this.#frames.push({ data, dts, duration, config });
    this.#sizeBytes += data.length;
  }

  #place(stamped: number, duration: number, { timescale }: AudioConfig): number | undefined {
    const expected = this.#expectedDts;
    if (expected === undefined) return stamped;
    const jitter = Math.min(duration / 2, (maxAudioJitterMs * timescale) / 1000);
    if (stamped > expected + jitter) return stamped;
    return stamped < expected - (maxOverlapMs * timescale) / 1000 ? undefined : expected;
  }

  /** Drops the frames that start before `timeMs`. */
  dropBefore(timeMs: number): void {
    this.#take(timeMs);
  }

  /** The configuration of the first waiting frame. */
  get firstConfig(): AudioConfig | undefined {
    return this.#frames[0]?.config;
  }

  /** The end of the first frame that ends at `timeMs` or later. */
  findEndFrom(timeMs: number): number | undefined {
    const frame = this.#frames.find(({ dts, duration, config }) => toMs(dts + duration, config) >= timeMs);
    return frame && toMs(frame.dts + frame.duration, frame.config);
  }

  /** The end of the last frame that ends at `timeMs` or before. */
  findEndBefore(timeMs: number): number | undefined {
    const frame = this.#frames.findLast(({ dts, duration, config }) => toMs(dts + duration, config) <= timeMs);
    return frame && toMs(frame.dts + frame.duration, frame.config);
  }

  /**
   * Takes the frames that start before `endMs`, as one run of one configuration. Silence replaces frames of another
   * configuration, since a segment has one init segment; they are dropped if its format has no silence.
   */
  takeBefore(endMs: number, config: AudioConfig): AudioRun | undefined {
    const taken = this.#take(endMs);
    // Copying every frame exceeds the work per tag that stand-in-work.test allows.
    const frames = taken.every((frame) => frame.config === config) ? taken : this.#replaceOthers(taken, config);
    const last = frames.at(-1);
    if (last) this.#taken = { config, endDts: last.dts + last.duration };
    if (frames.length === 0) return undefined;
    const next = this.#frames[0];
    const samples = frames.map(({ data, dts, duration }, index) => {
      const following = frames[index + 1] ?? (next?.config === config ? next : undefined);
      return { data, duration: following ? following.dts - dts : duration, compositionOffset: 0, sync: true };
    });
    return { config, baseDecodeTime: frames[0]?.dts ?? 0, samples };
  }

  /** The frames of `config`, with silent frames of `config` in place of all others. */
  #replaceOthers(frames: readonly AudioFrame[], config: AudioConfig): AudioFrame[] {
    const data = config.format.makeSilence(config);
    const duration = config.samplesPerFrame;
    let endDts = this.#taken?.config === config ? this.#taken.endDts : undefined;
    return frames.flatMap((frame) => {
      if (frame.config === config) {
        endDts = frame.dts + frame.duration;
        return frame;
      }
      if (data === undefined || endDts === undefined) return [];
      const startDts = fromMs(toMs(frame.dts, frame.config), config);
      const untilDts = fromMs(toMs(frame.dts + frame.duration, frame.config), config);
      // Keep real gaps.
      let dts = startDts - endDts > duration ? startDts : endDts;
      const silent: AudioFrame[] = [];
      for (; dts + duration / 2 <= untilDts; dts += duration) silent.push({ data, dts, duration, config });
      endDts = dts;
      return silent;
    });
  }

  /** Drops everything and begins a new timeline; the configuration stays. */
  restart(): void {
    this.#take(Number.POSITIVE_INFINITY);
    this.#expectedDts = undefined;
    this.#taken = undefined;
  }

  #take(endMs: number): AudioFrame[] {
    const end = this.#frames.findIndex(({ dts, config }) => toMs(dts, config) >= endMs);
    const taken = this.#frames.splice(0, end === -1 ? this.#frames.length : end);
    for (const { data } of taken) this.#sizeBytes -= data.length;
    return taken;
  }
}

function fromMs(ms: number, { timescale }: AudioConfig): number {
  return Math.round((ms * timescale) / 1000);
}

function toMs(ticks: number, { timescale }: AudioConfig): number {
  return (ticks * 1000) / timescale;
}
