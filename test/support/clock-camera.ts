import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Readable, Writable } from 'node:stream';
import { FlvReader } from '../../src/service/flv/flv-file.ts';
import type { FlvTag } from '../../src/service/flv/flv-tag.ts';
import { UnitReader } from '../../src/service/flv/unit-reader.ts';
import { formatUnitTag } from '../../src/service/flv/unit-tag.ts';
import { killChild } from '../../src/service/lib/kill-child.ts';
import { stampUnit, timestampOriginSeconds } from '../../src/service/one-click/stamp-unit.ts';
import { startRtmpPublisher } from '../../src/service/rtmp/rtmp-client.ts';
import { drawClock } from './picture-clock.ts';
import { sendTag } from './tag-role.ts';

const width = 320;
const height = 180;
const fps = 15;
const sampleRate = 48_000;

export interface ClockCameraOptions {
  port: number;
  streamKey: string;
  /** Seconds of media sent per second: below 1 the encoder is slower than real time. */
  speed: number;
  /** Whether it sends capture times, as one click does. */
  isStamped: boolean;
}

/** A camera that draws the capture time into its picture, and its encoder: 320 × 180 at 15 fps, a keyframe each second, silent audio. */
export async function startClockCamera({ port, streamKey, speed, isStamped }: ClockCameraOptions): Promise<AsyncDisposable> {
  const publisher = await startRtmpPublisher({
    url: `rtmp://127.0.0.1:${port}/live`,
    streamKey,
    signal: new AbortController().signal,
  });
  const raw = ['-f', 'rawvideo', '-pix_fmt', 'yuv420p', '-video_size', `${width}x${height}`, '-framerate', String(fps)];
  const unprobed = ['-probesize', '32', '-analyzeduration', '0'];
  const ffmpeg = spawn(
    'ffmpeg',
    [
      ...['-hide_banner', '-loglevel', 'error', '-fflags', 'nobuffer', ...unprobed, ...raw, '-i', 'pipe:0'],
      ...[...unprobed, '-f', 's16le', '-ar', String(sampleRate), '-ac', '1', '-i', 'pipe:3', '-map', '0:v', '-map', '1:a'],
      ...['-c:v', 'libx264', '-preset', 'ultrafast', '-tune', 'zerolatency', '-b:v', '500k', '-g', String(fps)],
      ...['-c:a', 'aac', '-b:a', '64k'],
      ...['-output_ts_offset', String(timestampOriginSeconds), '-flush_packets', '1', '-f', 'flv', 'pipe:1'],
    ],
    { stdio: ['pipe', 'pipe', 2, 'pipe'] },
  );
  const ended = once(ffmpeg, 'exit');
  const reader = new FlvReader();
  const film = new Film();
  const units = new UnitReader();
  const take = (tag: FlvTag) => {
    const unit = isStamped ? units.readUnit(tag) : undefined;
    sendTag(publisher, unit ? formatUnitTag(stampUnit(unit, 0, film, Date)) : tag);
  };
  (ffmpeg.stdout as Readable).on('data', (bytes: Buffer) => {
    for (const tag of reader.push(bytes)) take(tag);
  });
  const [video, audio] = [ffmpeg.stdin as Writable, ffmpeg.stdio[3] as Writable];
  for (const pipe of [video, audio]) pipe.on('error', () => {});
  const stopped = new AbortController();
  void film.shoot(video, audio, speed, stopped.signal);
  return {
    async [Symbol.asyncDispose]() {
      stopped.abort();
      killChild(ffmpeg, 'SIGKILL');
      await ended;
      await publisher.close();
    },
  };
}

class Film {
  readonly format = { fps };
  /** When each frame was drawn. */
  readonly #drawnAt: number[] = [];

  capturedAt(frame: number): number | undefined {
    return this.#drawnAt[frame];
  }

  /** Writes each frame and its audio when due; a frame the encoder has no room for is late, as in practice. */
  async shoot(video: Writable, audio: Writable, speed: number, signal: AbortSignal): Promise<void> {
    const picture = Buffer.alloc((width * height * 3) / 2, 128);
    const silence = Buffer.alloc((sampleRate / fps) * 2);
    const beganAt = performance.now();
    for (let frame = 0; !signal.aborted; frame += 1) {
      const waitMs = beganAt + (frame * 1000) / (fps * speed) - performance.now();
      if (waitMs > 0) await new Promise((resolve) => setTimeout(resolve, waitMs));
      this.#drawnAt[frame] = Date.now();
      drawClock(picture, width, Date.now());
      audio.write(silence);
      if (!video.write(Buffer.from(picture)) && !signal.aborted) await once(video, 'drain', { signal }).catch(() => {});
    }
  }
}
