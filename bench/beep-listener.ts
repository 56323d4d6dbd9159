import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { killChild } from '../src/service/lib/kill-child.ts';
import type { ScreenStage } from './screen-stage.ts';

const samplesPerMs = 48;
/** Louder than this, of 32,767, is a beep. */
const beepLevel = 300;
/** Quieter for so long is the silence before the next one. */
const silentSamples = 100 * samplesPerMs;

/** The beeps heard on the computer itself. The list grows. */
export interface BeepListener extends AsyncDisposable {
  /** When each beep began, by the wall clock, in ms. */
  heardAtMs: readonly number[];
}

/**
 * Listens to a stage's sound, as a capture does. Its sink has a clock of its own: PulseAudio's null sink rounds the time of each
 * block down, and is ahead by 94 ms after 25 min.
 */
export function startBeepListener(ffmpegPath: string, { env, monitor }: Pick<ScreenStage, 'env' | 'monitor'>): BeepListener {
  const pulse = ['-f', 'pulse', '-name', 'Listener', '-fragment_size', '960', '-i', monitor];
  const ffmpeg = spawn(
    ffmpegPath,
    ['-hide_banner', '-loglevel', 'error', '-nostdin', ...pulse, ...['-ac', '1', '-ar', '48000', '-f', 's16le', 'pipe:1']],
    { stdio: ['ignore', 'pipe', 'inherit'], env: { ...process.env, ...env } },
  );
  const ended = once(ffmpeg, 'exit');
  const heardAtMs: number[] = [];
  let silentFor = 0;
  ffmpeg.stdout.on('data', (bytes: Buffer) => {
    const nowMs = Date.now();
    const samples = Math.floor(bytes.length / 2);
    for (let index = 0; index < samples; index += 1) {
      if (Math.abs(bytes.readInt16LE(index * 2)) <= beepLevel) {
        silentFor += 1;
        continue;
      }
      if (silentFor >= silentSamples) heardAtMs.push(nowMs - (samples - index) / samplesPerMs);
      silentFor = 0;
    }
  });
  return {
    heardAtMs,
    async [Symbol.asyncDispose]() {
      killChild(ffmpeg, 'SIGKILL');
      await ended;
    },
  };
}
