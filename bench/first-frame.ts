import { setTimeout as sleep } from 'node:timers/promises';
import type { Browser } from 'playwright-core';
import { findFfmpeg } from '../src/service/media-tools/find-ffmpeg.ts';
import { describeMissingFfmpeg } from '../src/shared/words/ffmpeg-words.ts';
import { launchChromium } from '../test/support/chromium.ts';
import { type BenchHost, startBenchHost } from './bench-host.ts';
import { startChild } from './child.ts';
import { startForeignEncoder } from './foreign-encoder.ts';
import { describeLoad, type Measurement, median } from './measurement.ts';
import { makeMediaFile } from './media-file.ts';
import { openPlayer, plainPlayer, play, startPageServer, takeWatched } from './player-page.ts';
import type { LoadQuestion } from './processes/load-generator.ts';

const rounds = 5;
const gopSeconds = 1;

/** Publishes a file; returns the time of the ingest's `NetStream.Publish.Start`, in Unix milliseconds. */
type Publish = (to: { file: string; rtmpPort: number; streamKey: string }, until: AsyncDisposableStack) => Promise<number>;

/** Time from `NetStream.Publish.Start` until hls.js, in a page that waits for the stream, shows its first frame. */
export async function measureFirstFrame(folder: string): Promise<Measurement> {
  const file = await makeMediaFile(folder, { seconds: 8, gopSeconds, bFrames: 0 });
  const ffmpeg = await findFfmpeg();
  if (ffmpeg.kind === 'missing') throw new Error(describeMissingFfmpeg(ffmpeg.reason));
  await using service = await startBenchHost();
  await using pages = await startPageServer();
  const browser = await launchChromium();
  const publishers: { name: string; publish: Publish }[] = [
    { name: 'our own', publish: publishOurselves },
    { name: 'ffmpeg', publish: (to, until) => publishWith(ffmpeg.path, to, until) },
  ];
  try {
    const rows: (string | number)[][] = [];
    for (const { name, publish } of publishers) {
      const times: number[] = [];
      for (let round = 0; round < rounds; round += 1)
        times.push(await timeFirstFrame(browser, pages.url, service, { file, publish }));
      rows.push([name, `${gopSeconds} s`, median(times), Math.max(...times), describeLoad(), '1500']);
    }
    return {
      title: 'First frame in hls.js, after NetStream.Publish.Start',
      columns: [
        { name: 'publisher', unit: '' },
        { name: 'GOP', unit: '' },
        { name: 'median', unit: 'ms' },
        { name: 'most', unit: 'ms' },
        { name: 'load', unit: '' },
        { name: 'aim', unit: '' },
      ],
      rows,
      notes: [`${rounds} broadcasts each; the page polls every 50 ms whether the stream is on air.`],
    };
  } finally {
    await browser.close();
  }
}

async function timeFirstFrame(
  browser: Browser,
  pageUrl: string,
  service: BenchHost,
  { file, publish }: { file: string; publish: Publish },
): Promise<number> {
  const { streamKey, playbackId } = await service.createStream('first frame');
  const page = await openPlayer(browser, pageUrl);
  const shown = play(page, `${service.host.ready.playbackBaseUrl}/${playbackId}/index.m3u8`, plainPlayer);
  await sleep(500);
  await using until = new AsyncDisposableStack();
  const [, startedAt] = await Promise.all([shown, publish({ file, rtmpPort: service.rtmpPort, streamKey }, until)]);
  const { firstFrameAt = Number.NaN } = await takeWatched(page);
  await page.close();
  return firstFrameAt - startedAt;
}

const publishOurselves: Publish = async ({ file, rtmpPort, streamKey }, until) => {
  const publisher = until.use(startChild('load-generator'));
  const to: LoadQuestion['to'] = { kind: 'rtmp', app: 'live', streamKeys: [streamKey] };
  await publisher.ask({ file, port: rtmpPort, to } satisfies LoadQuestion);
  return Date.now();
};

async function publishWith(ffmpegPath: string, to: Parameters<Publish>[0], until: AsyncDisposableStack): Promise<number> {
  return until.use(await startForeignEncoder(ffmpegPath, to)).startedAt;
}
