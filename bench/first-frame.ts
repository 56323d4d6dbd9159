import { setTimeout as sleep } from 'node:timers/promises';
import { launchChromium } from '../test/support/chromium.ts';
import { startBenchHost } from './bench-host.ts';
import { startChild } from './child.ts';
import { describeLoad, type Measurement, median } from './measurement.ts';
import { makeMediaFile } from './media-file.ts';
import { openPlayer, plainPlayer, play, startPageServer, takeWatched } from './player-page.ts';
import type { LoadQuestion } from './processes/load-generator.ts';

const rounds = 5;
const gopSeconds = 1;

/** From `NetStream.Publish.Start` until hls.js, in a page that waits for the stream, shows its first frame. */
export async function measureFirstFrame(folder: string): Promise<Measurement> {
  const file = await makeMediaFile(folder, { seconds: 8, gopSeconds, bFrames: 0 });
  await using service = await startBenchHost();
  await using pages = await startPageServer();
  const browser = await launchChromium();
  try {
    const times: number[] = [];
    for (let round = 0; round < rounds; round += 1) {
      const { streamKey, playbackId } = await service.createStream('first frame');
      const page = await openPlayer(browser, pages.url);
      const shown = play(page, `${service.host.ready.playbackBaseUrl}/${playbackId}/index.m3u8`, plainPlayer);
      await sleep(500);
      await using publisher = startChild('load-generator');
      const to: LoadQuestion['to'] = { kind: 'rtmp', app: 'live', streamKeys: [streamKey] };
      const [, startedAt] = await Promise.all([
        shown,
        publisher.ask({ file, port: service.rtmpPort, to } satisfies LoadQuestion).then(() => Date.now()),
      ]);
      const { firstFrameAt = Number.NaN } = await takeWatched(page);
      times.push(firstFrameAt - startedAt);
      await page.close();
    }
    return {
      title: 'First frame in hls.js, after NetStream.Publish.Start',
      columns: [
        { name: 'GOP', unit: '' },
        { name: 'median', unit: 'ms' },
        { name: 'most', unit: 'ms' },
        { name: 'load', unit: '' },
        { name: 'aim', unit: '' },
      ],
      rows: [[`${gopSeconds} s`, median(times), Math.max(...times), describeLoad(), '1500']],
      notes: [`${rounds} broadcasts; the page asks every 50 ms whether the stream is on air.`],
    };
  } finally {
    await browser.close();
  }
}
