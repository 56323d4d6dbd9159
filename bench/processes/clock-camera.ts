import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { join } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { FlvReader } from '../../src/service/flv/flv-file.ts';
import { UnitReader } from '../../src/service/flv/unit-reader.ts';
import { formatUnitTag } from '../../src/service/flv/unit-tag.ts';
import { killChild } from '../../src/service/lib/kill-child.ts';
import { stampUnit, timestampOriginSeconds } from '../../src/service/one-click/stamp-unit.ts';
import { startRtmpPublisher } from '../../src/service/rtmp/rtmp-client.ts';
import { drawClock } from '../../test/support/picture-clock.ts';
import { sendTag } from '../../test/support/tag-role.ts';
import { answerParent } from './answer.ts';

/**
 * A camera that draws the time into its frames: 720p30 and audio, encoded by ffmpeg. It is published with the capture stamps of a
 * one-click broadcast, or packaged as HLS by ffmpeg.
 */
export interface CameraQuestion {
  ffmpegPath: string;
  gopSeconds: number;
  to: { kind: 'rtmp'; port: number; streamKey: string } | { kind: 'ffmpeg-hls'; folder: string; segmentSeconds: number };
}

const width = 1280;
const height = 720;
const fps = 30;
const sampleRate = 48_000;
const bitrate = '2500k';
/** When each frame was drawn. */
const drawnAt: number[] = [];

answerParent(async ({ ffmpegPath, gopSeconds, to }: CameraQuestion): Promise<undefined> => {
  const output =
    to.kind === 'rtmp'
      ? [...['-output_ts_offset', String(timestampOriginSeconds)], ...['-flush_packets', '1', '-f', 'flv', 'pipe:1']]
      : [
          ...['-f', 'hls', '-hls_time', String(to.segmentSeconds), '-hls_list_size', '6', '-hls_flags', 'delete_segments'],
          join(to.folder, 'index.m3u8'),
        ];
  const ffmpeg = spawn(ffmpegPath, [...formatEncode(gopSeconds), ...output], { stdio: ['pipe', 'pipe', 2, 'pipe'] });
  process.once('exit', () => killChild(ffmpeg, 'SIGKILL'));
  if (to.kind === 'rtmp') await publish(ffmpeg.stdout as Readable, to);
  void film(ffmpeg.stdin as Writable, ffmpeg.stdio[3] as Writable);
  return undefined;
});

function formatEncode(gopSeconds: number): string[] {
  const gop = String(gopSeconds * fps);
  const unprobed = ['-probesize', '32', '-analyzeduration', '0', '-thread_queue_size', '8'];
  return [
    ...['-hide_banner', '-loglevel', 'error', '-fflags', 'nobuffer'],
    ...unprobed,
    ...[
      '-f',
      'rawvideo',
      '-pix_fmt',
      'yuv420p',
      '-video_size',
      `${width}x${height}`,
      '-framerate',
      String(fps),
      '-i',
      'pipe:0',
    ],
    ...unprobed,
    ...['-f', 's16le', '-ar', String(sampleRate), '-ac', '1', '-i', 'pipe:3', '-map', '0:v', '-map', '1:a'],
    ...['-c:v', 'libx264', '-preset', 'superfast', '-tune', 'zerolatency', '-b:v', bitrate, '-maxrate', bitrate],
    ...['-bufsize', bitrate, '-g', gop, '-keyint_min', gop, '-sc_threshold', '0', '-c:a', 'aac', '-b:a', '96k'],
  ];
}

async function publish(flv: Readable, { port, streamKey }: { port: number; streamKey: string }) {
  const { signal } = new AbortController();
  const publisher = await startRtmpPublisher({ url: `rtmp://127.0.0.1:${port}/live`, streamKey, signal });
  void publisher.closed.then(({ kind }) => {
    if (kind !== 'closed-by-us') throw new Error('The publisher ended.');
  });
  const reader = new FlvReader();
  const units = new UnitReader();
  const feed = { format: { fps }, capturedAt: (frame: number) => drawnAt[frame] };
  flv.on('data', (bytes: Buffer) => {
    for (const tag of reader.push(bytes)) {
      const unit = units.readUnit(tag);
      if (unit) sendTag(publisher, formatUnitTag(stampUnit(unit, 0, feed, Date)));
    }
  });
}

/** Writes each frame and its audio when due. If the encoder has no room, the frame is late, as with a real camera. */
async function film(video: Writable, audio: Writable) {
  const pictures = makePictures();
  const silence = Buffer.alloc((sampleRate / fps) * 2);
  const beganAt = performance.now();
  for (let frame = 0; ; frame += 1) {
    const waitMs = beganAt + (frame * 1000) / fps - performance.now();
    if (waitMs > 0) await new Promise((resolve) => setTimeout(resolve, waitMs));
    const picture = pictures[frame % pictures.length] as Buffer;
    drawnAt[frame] = Date.now();
    drawClock(picture, width, Date.now());
    audio.write(silence);
    if (!video.write(picture)) await once(video, 'drain');
  }
}

/** Some frames, used in turns: grey with a moving band of noise, so that the encoder has work to do. */
function makePictures(): Buffer[] {
  return Array.from({ length: fps }, (_, index) => {
    const picture = Buffer.alloc((width * height * 3) / 2, 128);
    const bandBytes = 48 * width;
    randomBytes(bandBytes).copy(picture, width * (64 + index * 20));
    return picture;
  });
}
