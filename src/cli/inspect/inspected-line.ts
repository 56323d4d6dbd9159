import { escapeInvisible } from '../../service/lib/escape-invisible.ts';
import type { MediaUnit } from '../../service/media/media-unit.ts';
import type { AudioConfig, VideoConfig } from '../../service/media/track-config.ts';
import type { TrackKind } from '../../shared/model/track-kind.ts';

/** When something in a file is decoded, in ticks. The timescale is absent if the track's init segment is unknown. */
interface LineTime {
  dts: number;
  timescale?: number;
}

/** One item in a media file, as `inspect` prints it. */
export type InspectedLine =
  | ({ kind: 'config'; track: 'video'; width: number; height: number; fps?: number } & ConfigLine)
  | ({ kind: 'config'; track: 'audio'; sampleRateHz: number; channels: number } & ConfigLine)
  | ({
      kind: 'unit';
      track: TrackKind;
      pts: number;
      duration?: number;
      keyframe?: boolean;
      independent?: boolean;
      /** When the encoder claims to have captured it, in Unix milliseconds. */
      capturedAtMs?: number;
      sizeBytes: number;
    } & LineTime)
  | { kind: 'metadata'; timestampMs: number; values: Readonly<Record<string, unknown>> }
  /** A `moof` and its media; a part, if our packager wrote it. */
  | { kind: 'fragment'; sequenceNumber: number; positionBytes: number }
  /** Data that makes no unit; `sentence` gives the reason. */
  | { kind: 'left-out'; what: TrackKind | 'script' | 'box'; timestampMs?: number; sizeBytes: number; sentence: string };

interface ConfigLine extends Partial<LineTime> {
  /** The codec's name and its RFC 6381 string. */
  codecName: string;
  codec: string;
  sizeBytes: number;
}

/** The line of a unit. */
export function describeUnit(unit: MediaUnit, duration?: number): InspectedLine {
  const { dts, timescale } = unit;
  const lasting = duration === undefined ? {} : { duration };
  switch (unit.type) {
    case 'config':
      return describeConfig(unit.config, { dts, timescale });
    case 'audio':
      return { kind: 'unit', track: 'audio', dts, pts: dts, timescale, ...lasting, sizeBytes: unit.data.length };
    case 'video': {
      const { pts, keyframe, independent, captured } = unit;
      const capture = captured === undefined ? {} : { capturedAtMs: captured.capturedAtMs };
      const sizeBytes = unit.data.length;
      return { kind: 'unit', track: 'video', dts, pts, timescale, ...lasting, keyframe, independent, ...capture, sizeBytes };
    }
  }
}

/** The line of a track's configuration; from an init segment it has a timescale but no time. */
export function describeConfig(config: VideoConfig | AudioConfig, time: Partial<LineTime>): InspectedLine {
  const line: ConfigLine = { ...time, codecName: config.format.name, codec: config.codec, sizeBytes: config.record.length };
  if (config.track === 'audio') {
    const { sampleRateHz, channels } = config;
    return { kind: 'config', track: 'audio', ...line, sampleRateHz, channels };
  }
  const { width, height } = config;
  const fps = config.fps ?? config.nominalFps;
  return { kind: 'config', track: 'video', ...line, width, height, ...(fps !== undefined && { fps }) };
}

/** Formats the line as JSON. The file's own text can't control the terminal, as in {@link formatInspectedLine}. */
export function formatInspectedJson(line: InspectedLine): string {
  return escapeInvisible(JSON.stringify(line));
}

/** Formats the line as text in columns. */
export function formatInspectedLine(line: InspectedLine): string {
  switch (line.kind) {
    case 'metadata':
      return join('metadata', '', formatAt(line.timestampMs), JSON.stringify(line.values));
    case 'fragment':
      return join('fragment', '', `sequence number ${line.sequenceNumber}, at byte ${line.positionBytes}`);
    case 'left-out': {
      const at = line.timestampMs === undefined ? undefined : formatAt(line.timestampMs);
      return join('left out', line.what, at, `${line.sizeBytes} bytes: ${line.sentence}`);
    }
    case 'config': {
      const { dts, timescale, codecName, codec, sizeBytes } = line;
      return join(
        'config',
        line.track,
        dts !== undefined && formatTime('dts', dts, timescale),
        `${codecName} ${codec}`,
        line.track === 'video' ? `${line.width}x${line.height}` : `${line.sampleRateHz} Hz`,
        line.track === 'video' ? line.fps && `${round(line.fps)} fps` : `${line.channels} ch`,
        `${sizeBytes} bytes`,
      );
    }
    case 'unit': {
      const { track, dts, pts, timescale, duration, keyframe, independent, capturedAtMs, sizeBytes } = line;
      return join(
        'unit',
        track,
        formatTime('dts', dts, timescale),
        formatTime('pts', pts, timescale),
        duration !== undefined && formatTime('for', duration, timescale),
        `${String(sizeBytes).padStart(7)} bytes`,
        keyframe && 'keyframe',
        independent && 'independent',
        capturedAtMs !== undefined && `captured ${formatCaptureTime(capturedAtMs)}`,
      );
    }
  }
}

function join(kind: string, what: string, ...columns: readonly (string | number | false | undefined)[]): string {
  const cells = columns.filter((column) => typeof column === 'string');
  return escapeInvisible([kind.padEnd(8), what.padEnd(6), ...cells].join('  '));
}

/** A time that no `Date` can have (ECMA-262, "Time Values and Time Range") stays in milliseconds, since the file states it. */
function formatCaptureTime(epochMs: number): string {
  const date = new Date(epochMs);
  return Number.isNaN(date.getTime()) ? formatAt(epochMs) : date.toISOString();
}

const formatAt = (timestampMs: number) => `at ${timestampMs} ms`;

/** Formats a time in milliseconds with three decimals, or in ticks if the timescale is unknown. */
function formatTime(name: string, ticks: number, timescale: number | undefined): string {
  const text = timescale === undefined ? `${ticks} ticks` : `${((ticks * 1000) / timescale).toFixed(3)} ms`;
  return `${name} ${text.padStart(14)}`;
}

const round = (value: number) => Math.round(value * 1000) / 1000;
