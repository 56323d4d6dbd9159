import { z } from 'zod';
import { formatFlvHeader, formatFlvTag } from '../flv/flv-file.ts';
import { formatUnitTag } from '../flv/unit-tag.ts';
import { isConclusive, runToEnd } from '../lib/run-to-end.ts';
import { audioFormats, videoFormats } from '../media/carried-formats.ts';
import type { MediaUnit } from '../media/media-unit.ts';
import type { AudioFormat, CodecSample, VideoFormat } from '../media/track-config.ts';
import { openBuildCache } from './build-cache.ts';

/** How long a trial may take: it decodes a few bytes. */
const trialTimeoutMs = 3_000;

/** The codecs that not every ffmpeg reads from FLV: they need the headers of Enhanced RTMP, which older builds don't know. */
const trials = [
  ...videoFormats.flatMap((format) => planTrial(format, makeVideoUnits)),
  ...audioFormats.flatMap((format) => planTrial(format, makeAudioUnits)),
];

function planTrial<Format extends VideoFormat | AudioFormat>(
  format: Format,
  makeUnits: (format: Format, sample: CodecSample) => MediaUnit[],
): { fourCc: string; makeUnits: () => MediaUnit[] }[] {
  const { fourCc, sample } = format;
  return sample === undefined ? [] : [{ fourCc, makeUnits: () => makeUnits(format, sample) }];
}

/** Whether ffmpeg decodes a codec from FLV, by FourCC; without those that are not known yet. */
const Decoders = z.partialRecord(z.enum(trials.map(({ fourCc }) => fourCc)), z.boolean());
type Decoders = z.infer<typeof Decoders>;

export interface DecoderProbeOptions {
  ffmpeg: { path: string; version: string };
  dataFolder: string;
  /** Kills the ffmpeg of a trial. */
  signal?: AbortSignal | undefined;
  timeoutMs?: number;
}

/** Whether a ladder can be fed with a codec. */
export type CanDecode = (format: VideoFormat | AudioFormat) => boolean;

/** The formats that every ffmpeg decodes: the answer while nothing else is known. */
export const decodesAnywhere: CanDecode = ({ sample }) => sample === undefined;

export interface ProbedDecoders {
  canDecode: CanDecode;
  /** Whether another probe would find the same: every trial ended by itself. A codec without a result counts as not decodable. */
  isSettled: boolean;
}

/**
 * Makes ffmpeg decode a frame of each codec that not every ffmpeg reads, once per build. Trials that didn't end by
 * themselves are repeated at the next probe. They run in parallel, since a broadcast may be waiting.
 *
 * @throws the signal's reason when it aborts
 */
export async function probeDecoders(options: DecoderProbeOptions): Promise<ProbedDecoders> {
  const { ffmpeg, dataFolder, signal } = options;
  const cache = await openBuildCache({ name: 'decoders.json', dataFolder, ffmpeg, found: Decoders });
  signal?.throwIfAborted();
  const found: Decoders = { ...cache.known };
  const unknown = trials.filter(({ fourCc }) => found[fourCc] === undefined);
  const outcomes = await Promise.all(
    unknown.map(async ({ fourCc, makeUnits }) => ({ fourCc, decodes: await tryDecoder(makeUnits(), options) })),
  );
  signal?.throwIfAborted();
  for (const { fourCc, decodes } of outcomes) found[fourCc] = decodes;
  if (outcomes.some(({ decodes }) => decodes !== undefined)) await cache.keep(found);
  return {
    canDecode: (format) => decodesAnywhere(format) || found[format.fourCc] === true,
    isSettled: outcomes.every(({ decodes }) => decodes !== undefined),
  };
}

/** Whether ffmpeg decodes a sample; undefined if another trial may differ, for example after a timeout or without free memory or files. */
async function tryDecoder(
  sample: readonly MediaUnit[],
  { ffmpeg, timeoutMs = trialTimeoutMs, signal }: DecoderProbeOptions,
): Promise<boolean | undefined> {
  const input = formatSample(sample);
  const { error, stdout, stderr } = await runToEnd(ffmpeg.path, decodeArgs, { timeoutMs, signal, input });
  if (!isConclusive(error) || (error !== null && lacksResources.test(stderr.toString()))) return undefined;
  return error === null && countFrames(stdout) > 0;
}

/**
 * Messages of ffmpeg, or of its libraries' loader, when the system has no memory, thread or file left: ENOMEM (on Windows too), EAGAIN,
 * EMFILE and ENFILE.
 */
const lacksResources = /Cannot allocate memory|Not enough space|Resource temporarily unavailable|Too many open files/;

const start = { timescale: 1000, dts: 0 } as const;

/** Input is read as a ladder reads its source; the output has a line of checksums for each decoded frame. */
const decodeArgs = [
  ...['-hide_banner', '-loglevel', 'error', '-nostats', '-nostdin'],
  ...['-probesize', '32', '-analyzeduration', '0', '-fpsprobesize', '0', '-thread_type', 'slice'],
  ...['-f', 'flv', '-i', 'pipe:0', '-f', 'framecrc', 'pipe:1'],
];

/** The sample of a codec as an FLV file. */
function formatSample(units: readonly MediaUnit[]): Buffer {
  const hasVideo = units.some(({ type }) => type === 'video');
  return Buffer.concat([
    formatFlvHeader({ hasAudio: !hasVideo, hasVideo }),
    ...units.map((unit) => formatFlvTag(formatUnitTag(unit))),
  ]);
}

function makeVideoUnits(format: VideoFormat, sample: CodecSample): MediaUnit[] {
  const config = format.parseRecord(sample.record);
  const frame = { ...start, pts: 0, config, keyframe: true, independent: true, data: sample.frame };
  return [
    { type: 'config', ...start, config },
    { type: 'video', ...frame },
  ];
}

function makeAudioUnits(format: AudioFormat, sample: CodecSample): MediaUnit[] {
  const config = format.parseRecord(sample.record);
  return [
    { type: 'config', ...start, config },
    { type: 'audio', ...start, config, data: sample.frame },
  ];
}

/** Counts the lines of the framecrc muxer that are not comments. */
function countFrames(output: Buffer): number {
  return output
    .toString()
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#')).length;
}
