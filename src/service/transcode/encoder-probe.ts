import { z } from 'zod';
import { type EncoderChoice, type EncoderName, EncoderTrial } from '../../shared/model/encoder.ts';
import { openBuildCache } from './build-cache.ts';
import { tryEncoder } from './encoder-trial.ts';

/** How long an encoder may take for its first frames; a slower one counts as broken. */
const trialTimeoutMs = 3_000;

/** The order of preference of `automatic`: hardware leaves the processor to the rest of the broadcast. */
const preferred: readonly EncoderName[] = ['h264_nvenc', 'h264_videotoolbox', 'h264_qsv', 'h264_amf', 'h264_vaapi', 'libx264'];

/** Encoders of a single platform. */
const platformOf: Partial<Record<EncoderName, NodeJS.Platform>> = { h264_videotoolbox: 'darwin', h264_vaapi: 'linux' };
/** Macs have no other hardware encoder. */
const isCandidate = (encoder: EncoderName, platform: NodeJS.Platform) =>
  (platformOf[encoder] ?? platform) === platform &&
  (platform !== 'darwin' || encoder === 'h264_videotoolbox' || encoder === 'libx264');

export interface EncoderProbeOptions {
  ffmpeg: { path: string; version: string };
  dataFolder: string;
  platform?: NodeJS.Platform;
  timeoutMs?: number;
  /** Kills the ffmpeg that tries an encoder. */
  signal?: AbortSignal;
}

/**
 * Whether trying an encoder again would give the same result while ffmpeg stays the same. Hardware that failed may have its driver
 * by then, and a computer that was too slow may be less busy.
 */
const isSettled = (trial: EncoderTrial) => trial.works || trial.fault.code === 'not-built-in';

/**
 * Finds which encoders work on this computer, in the order of preference. Those that work, or that this build of ffmpeg lacks, are
 * tried once per build, the others at each probe.
 *
 * @throws the signal's reason when it aborts
 */
export async function probeEncoders(options: EncoderProbeOptions): Promise<EncoderTrial[]> {
  const { ffmpeg, dataFolder, platform = process.platform, timeoutMs = trialTimeoutMs, signal } = options;
  const cache = await openBuildCache({ name: 'encoders.json', dataFolder, ffmpeg, found: z.array(EncoderTrial) });
  const settled = cache.known?.filter(isSettled) ?? [];
  const trials: EncoderTrial[] = [];
  // One after the other: some hardware runs only a few encoders at a time.
  for (const encoder of preferred.filter((encoder) => isCandidate(encoder, platform))) {
    signal?.throwIfAborted();
    const known = settled.find((trial) => trial.encoder === encoder);
    trials.push(known ?? (await tryEncoder(ffmpeg.path, encoder, { timeoutMs, signal })));
  }
  signal?.throwIfAborted();
  const kept = trials.filter(isSettled);
  if (kept.length > settled.length) await cache.keep(kept);
  return trials;
}

/**
 * The encoder to use. A choice that does not work here falls back to one that does; undefined if none works. x264 that was only too late
 * works: every full build of ffmpeg has it, and the computer was busy.
 */
export function chooseEncoder(choice: EncoderChoice, trials: readonly EncoderTrial[]): EncoderName | undefined {
  const working = trials
    .filter((trial) => trial.works || (trial.encoder === 'libx264' && wasLate(trial)))
    .map(({ encoder }) => encoder);
  if (choice === 'automatic') return working[0];
  if (working.includes(choice)) return choice;
  return working.includes('libx264') ? 'libx264' : working[0];
}

/**
 * Whether another trial may find soon that an encoder works: one that was only too slow, and x264 unless this ffmpeg lacks it. That needs
 * neither hardware nor a driver, so whatever stopped it passes: the system was out of memory, or something else held ffmpeg's file.
 */
export function mayWorkSoon(trial: EncoderTrial): boolean {
  return wasLate(trial) || (trial.encoder === 'libx264' && !isSettled(trial));
}

/** Whether an encoder may work, and was only too slow when it was tried. */
function wasLate(trial: EncoderTrial): boolean {
  return !trial.works && trial.fault.code === 'too-late';
}
