import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { killChild } from '../src/service/lib/kill-child.ts';
import { clockBits, clockHeightShare, readClockBits } from '../test/support/picture-clock.ts';

/** A point of a stream: its media time and the wall clock at its capture, both in ms (the clock modulo 2^32). */
export interface SyncPoint {
  mediaMs: number;
  wallMs: number;
}

/** The readings of a stream while it plays. Both lists grow. */
export interface SyncReader extends AsyncDisposable {
  /** Every frame whose clock is readable. */
  pictures: readonly SyncPoint[];
  /** The media times at which beeps begin, in ms. */
  beepsMs: readonly number[];
}

/** Sound is judged in pieces of 5 ms. */
const pieceSamples = 240;
/** Louder than this, in dB full scale, is a beep. */
const beepDb = -40;

/** In a filter graph a colon is syntax, on two levels. */
const colon = String.raw`\\:`;

/** Plays a URL with ffmpeg from its live edge, and reads the clock in its picture and the beeps in its sound. */
export function startSyncReader(ffmpegPath: string, url: string): SyncReader {
  const crop = `crop=iw:ih*${clockHeightShare}:0:0,scale=${clockBits}:1:flags=area,format=gray`;
  const video = `${crop},metadata=mode=add:key=at:value=1,metadata=mode=print:key=at:file=pipe${colon}3:direct=1`;
  const level = 'lavfi.astats.Overall.RMS_level';
  const stats = `asetnsamples=${pieceSamples},astats=metadata=1:reset=1:measure_perchannel=none:measure_overall=RMS_level`;
  const ffmpeg = spawn(
    ffmpegPath,
    [
      ...['-hide_banner', '-loglevel', 'error', '-nostdin', '-i', url],
      ...['-map', '0:v:0', '-vf', video, '-fps_mode', 'passthrough', '-f', 'rawvideo', 'pipe:1'],
      ...['-map', '0:a:0', '-af', `${stats},ametadata=mode=print:key=${level}:file=pipe${colon}4:direct=1`, '-f', 'null', '-'],
    ],
    { stdio: ['ignore', 'pipe', 'inherit', 'pipe', 'pipe'] },
  );
  const ended = once(ffmpeg, 'exit');
  const pictures: SyncPoint[] = [];
  const beepsMs: number[] = [];
  const frameTimes: number[] = [];
  const clocks: (number | undefined)[] = [];
  const match = () => {
    while (frameTimes.length > 0 && clocks.length > 0) {
      const mediaMs = frameTimes.shift() as number;
      const wallMs = clocks.shift();
      if (wallMs !== undefined) pictures.push({ mediaMs, wallMs });
    }
  };
  eachTime(ffmpeg.stdio[3] as Readable, (mediaMs) => {
    frameTimes.push(mediaMs);
    match();
  });
  let rest = Buffer.alloc(0);
  (ffmpeg.stdout as Readable).on('data', (bytes: Buffer) => {
    rest = Buffer.concat([rest, bytes]);
    for (; rest.length >= clockBits; rest = rest.subarray(clockBits))
      clocks.push(readClockBits([...rest.subarray(0, clockBits)].map((luma) => luma > 127)));
    match();
  });
  let wasLoud = true;
  eachTime(ffmpeg.stdio[4] as Readable, (mediaMs, values) => {
    const isLoud = Number(values.get(level)) > beepDb;
    if (isLoud && !wasLoud) beepsMs.push(mediaMs);
    wasLoud = isLoud;
  });
  return {
    pictures,
    beepsMs,
    async [Symbol.asyncDispose]() {
      killChild(ffmpeg, 'SIGKILL');
      await ended;
    },
  };
}

/** Reads the output of ffmpeg's `metadata=print`: a line with the time of a frame, then a line for each value. */
function eachTime(output: Readable, take: (mediaMs: number, values: ReadonlyMap<string, string>) => void): void {
  let mediaMs: number | undefined;
  const values = new Map<string, string>();
  createInterface(output).on('line', (line) => {
    const [, time] = /pts_time:(\S+)/.exec(line) ?? [];
    if (time === undefined) {
      const [name = '', value = ''] = line.split('=');
      values.set(name, value);
      // Each frame has one value, so it is complete.
      if (mediaMs !== undefined) take(mediaMs, values);
      return;
    }
    values.clear();
    mediaMs = Number(time) * 1000;
  });
}

/**
 * How far sound is behind the picture at each beep, in ms: a beep begins with a second of the wall clock, and the picture says at which
 * media time that second began. Beeps without pictures around them are left out.
 */
export function findSoundLags({
  pictures,
  beepsMs,
}: Pick<SyncReader, 'pictures' | 'beepsMs'>): { mediaMs: number; lagMs: number }[] {
  return beepsMs.flatMap((mediaMs) => {
    const index = pictures.findIndex((picture) => picture.mediaMs > mediaMs);
    const before = pictures[index - 1];
    if (before === undefined) return [];
    // The picture has the clock modulo 2^32, which isn't a whole number of seconds.
    const pictureMs = before.wallMs + Math.round((Date.now() - before.wallMs) / 2 ** 32) * 2 ** 32;
    // The wall clock at the beep's media time, as the picture has it: whole seconds would be in step.
    const wallMs = pictureMs + (mediaMs - before.mediaMs);
    const lagMs = ((wallMs + 500) % 1000) - 500;
    return [{ mediaMs, lagMs }];
  });
}
