import { z } from 'zod';
import { findAudioFormat, findVideoFormat } from '../flv/carried-formats.ts';
import { formatFlvHeader, formatFlvTag } from '../flv/flv-file.ts';
import { formatUnitTag } from '../flv/unit-tag.ts';
import type { MediaUnit } from '../media/media-unit.ts';
import type { AudioFormat, VideoFormat } from '../media/track-config.ts';
import { askOncePerBuild } from './build-cache.ts';
import { runTrial, wasKilled } from './ffmpeg-trial.ts';

/** How long a trial may take: it decodes a few bytes. */
const trialTimeoutMs = 3_000;

/**
 * Samples by FourCC: the decoder configuration record and one frame of each codec that FLV carries only with the headers of
 * Enhanced RTMP, which older builds of ffmpeg cannot read. Codecs without a sample are decoded by every ffmpeg.
 */
const samples: Readonly<Record<string, { record: string; frame: string }>> = {
  hvc1: {
    record:
      '0101600000009000000000001ef000fcfdf8f800000f03200001001840010c01ffff01600000030090000003000003001e959409' +
      '210001002942010101600000030090000003000003001ea0208105965654a4c2f01680800000030080000003008422000100064401c073c089',
    frame: '0000000d2801ac4ed71ffff5de9cafeaf8',
  },
  av01: {
    record: '81000c000a0a00000002afff9b5f2008',
    frame: '0a0a00000002afff9b5f2008321110009000082082200000b45554eaa7d12f',
  },
  Opus: { record: '4f707573486561640101380180bb0000000000', frame: 'f8fffe' },
};

/** Whether ffmpeg decodes a codec from FLV, by FourCC of the samples. */
const Decoders = z.record(z.enum(Object.keys(samples)), z.boolean());
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

/** What every ffmpeg decodes: the answer while nothing else is known. */
export const decodesAnywhere: CanDecode = ({ fourCc }) => samples[fourCc] === undefined;

/**
 * Makes ffmpeg decode a frame of each codec that not every ffmpeg reads, once per build.
 *
 * @throws the signal's reason when it aborts
 */
export async function probeDecoders(options: DecoderProbeOptions): Promise<CanDecode> {
  const { ffmpeg, dataFolder, signal, timeoutMs = trialTimeoutMs } = options;
  const found = await askOncePerBuild({
    name: 'decoders.json',
    dataFolder,
    ffmpeg,
    found: Decoders,
    ask: async () => {
      const decoders: Decoders = {};
      let keep = true;
      for (const fourCc of Object.keys(samples)) {
        signal?.throwIfAborted();
        const { error, stdout } = await runTrial(ffmpeg.path, decodeArgs, { timeoutMs, signal, input: formatSample(fourCc) });
        decoders[fourCc] = error === null && countFrames(stdout) > 0;
        keep &&= !wasKilled(error);
      }
      signal?.throwIfAborted();
      return { found: decoders, keep };
    },
  });
  return (format) => decodesAnywhere(format) || found[format.fourCc] === true;
}

/** Input is read as a ladder reads its source; the output has a line of checksums for each decoded frame. */
const decodeArgs = [
  ...['-hide_banner', '-loglevel', 'error', '-nostats', '-nostdin'],
  ...['-probesize', '32', '-analyzeduration', '0', '-fpsprobesize', '0', '-thread_type', 'slice'],
  ...['-f', 'flv', '-i', 'pipe:0', '-f', 'framecrc', 'pipe:1'],
];

/** The sample of a codec as an FLV file. */
function formatSample(fourCc: string): Buffer {
  const { record = '', frame = '' } = samples[fourCc] ?? {};
  const units = makeUnits(fourCc, Buffer.from(record, 'hex'), Buffer.from(frame, 'hex'));
  const hasVideo = units.some(({ type }) => type === 'video');
  return Buffer.concat([
    formatFlvHeader({ hasAudio: !hasVideo, hasVideo }),
    ...units.map((unit) => formatFlvTag(formatUnitTag(unit))),
  ]);
}

function makeUnits(fourCc: string, record: Buffer, data: Buffer): MediaUnit[] {
  const time = { timescale: 1000, dts: 0 };
  const video = findVideoFormat(fourCc)?.parseRecord(record);
  const audio = findAudioFormat(fourCc)?.parseRecord(record);
  return [
    ...(video ? [{ type: 'config', ...time, config: video } as const] : []),
    ...(video ? [{ type: 'video', ...time, pts: 0, config: video, keyframe: true, independent: true, data } as const] : []),
    ...(audio
      ? [{ type: 'config', ...time, config: audio } as const, { type: 'audio', ...time, config: audio, data } as const]
      : []),
  ];
}

/** Counts the lines of the framecrc muxer that are not comments. */
function countFrames(output: Buffer): number {
  return output
    .toString()
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#')).length;
}
