import { isDeepStrictEqual } from 'node:util';
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
  /** This start's earlier results: working encoders aren't tried again, since a broadcast may be using them. */
  tried?: readonly EncoderTrial[] | undefined;
}

/**
 * Whether trying an encoder again would give the same result with the same ffmpeg. Failed hardware may have its driver by then, working
 * hardware may have been removed, and a computer that was too slow may be less busy.
 */
const isSettled = (trial: EncoderTrial) => (trial.works ? trial.encoder === 'libx264' : lacks(trial));
/** Whether this build of ffmpeg lacks the encoder. */
const lacks = (trial: EncoderTrial) => !trial.works && trial.fault.code === 'not-built-in';

const openCache = ({ ffmpeg, dataFolder }: Pick<EncoderProbeOptions, 'ffmpeg' | 'dataFolder'>) =>
  openBuildCache({ name: 'encoders.json', dataFolder, ffmpeg, found: z.array(EncoderTrial) });

/**
 * The last start's results for this build of ffmpeg, to use until it has been tried: encoders that worked, whose hardware may have been
 * removed since; encoders that worked at an earlier start and failed at the last one; and encoders that the build lacks.
 */
export async function recallEncoders(options: Pick<EncoderProbeOptions, 'ffmpeg' | 'dataFolder'>): Promise<EncoderTrial[]> {
  return (await openCache(options)).known ?? [];
}

/** Whether an encoder worked at an earlier start of the same build: encoders that never did aren't kept. */
export function hasWorked(encoder: EncoderName, recalled: readonly EncoderTrial[]): boolean {
  return recalled.some((trial) => trial.encoder === encoder && !lacks(trial));
}

/**
 * Finds which encoders work on this computer, in the order of preference. A working x264 and encoders that the build lacks are tried once
 * per build; hardware at each start. Hardware that worked before and now only times out counts as working, since the computer is busy.
 *
 * @throws the signal's reason when it aborts
 */
export async function probeEncoders(options: EncoderProbeOptions): Promise<EncoderTrial[]> {
  const { ffmpeg, platform = process.platform, timeoutMs = trialTimeoutMs, signal, tried = [] } = options;
  const cache = await openCache(options);
  const remembered = cache.known ?? [];
  const settled = [...remembered.filter(isSettled), ...tried.filter(({ works }) => works)];
  const trials: EncoderTrial[] = [];
  // One after the other: some hardware runs only a few encoders at a time.
  for (const encoder of preferred.filter((encoder) => isCandidate(encoder, platform))) {
    signal?.throwIfAborted();
    const isOfIt = (trial: EncoderTrial) => trial.encoder === encoder;
    const trial = settled.find(isOfIt) ?? (await tryEncoder(ffmpeg.path, encoder, { timeoutMs, signal }));
    const worked = remembered.find((before) => isOfIt(before) && before.works);
    trials.push(worked !== undefined && wasLate(trial) ? worked : trial);
  }
  signal?.throwIfAborted();
  const kept = trials.filter((trial) => trial.works || lacks(trial) || hasWorked(trial.encoder, remembered));
  if (!isDeepStrictEqual(kept, remembered)) await cache.keep(kept);
  return trials;
}

/**
 * The encoder to use. A choice that does not work here falls back to one that does; undefined if none works. x264 that only timed out
 * counts as working: every full build of ffmpeg has it, and the computer was busy.
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
 * Whether a trial may soon succeed: for an encoder that was only too slow, and for x264 unless this ffmpeg lacks it. x264 needs neither
 * hardware nor a driver, so its cause of failure passes: the system was out of memory, or another program held ffmpeg's file.
 */
export function mayWorkSoon(trial: EncoderTrial): boolean {
  return wasLate(trial) || (trial.encoder === 'libx264' && !isSettled(trial));
}

/** Whether an encoder may work, and was only too slow when it was tried. */
export function wasLate(trial: EncoderTrial): boolean {
  return !trial.works && trial.fault.code === 'too-late';
}
