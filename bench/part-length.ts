import { launchChromium } from '../test/support/chromium.ts';
import { watch } from './glass.ts';
import { describeLoad, type Measurement, percentile } from './measurement.ts';
import { makeMediaFile } from './media-file.ts';
import { monitorPlayer, plainPlayer } from './player-page.ts';
import { measureViewerCount } from './viewers.ts';

const lengthsMs = [100, 133, 200, 333];
const viewerCount = 200;
const jitterMs = 30;

/** The cost and gain of different part lengths: requests and CPU with many viewers, latency and stalls with and without jitter. */
export async function measurePartLength(
  folder: string,
  { measureSeconds, watchSeconds }: { measureSeconds: number; watchSeconds: number },
): Promise<Measurement> {
  const file = await makeMediaFile(folder, { seconds: 20, gopSeconds: 1, bFrames: 0 });
  const browser = await launchChromium();
  try {
    const rows: (string | number)[][] = [];
    for (const partMs of lengthsMs) {
      const viewers = await measureViewerCount(file, { count: viewerCount, measureSeconds, partMs });
      const row = [`${partMs} ms`, viewers.partsPerSecond * 2, viewers.servicePercent, viewers.playlistP99Ms, viewers.errors];
      for (const player of [plainPlayer, monitorPlayer]) {
        for (const network of [{}, { jitterMs }]) {
          const scenario = {
            name: `${partMs} ms`,
            gopSeconds: 1,
            packager: 'service',
            joins: 1,
            player,
            partMs,
            ...network,
          } as const;
          const { latenciesMs, stalls } = await watch(browser, { folder, scenario, watchSeconds });
          row.push(latenciesMs.length > 0 ? percentile(latenciesMs, 50) : 'no picture', stalls);
        }
      }
      rows.push([...row, describeLoad()]);
    }
    const seen = (player: string) => [
      { name: `${player}: median`, unit: 'ms' },
      { name: 'stalls', unit: '' },
    ];
    return {
      title: `Part length: ${viewerCount} viewers of 2.5 Mbit/s at 30 fps, and glass to glass for ${watchSeconds} s each`,
      columns: [
        { name: 'part target', unit: '' },
        { name: 'requests a viewer', unit: '1/s' },
        { name: 'service', unit: '% of a core' },
        { name: 'playlist p99', unit: 'ms' },
        { name: 'errors', unit: '' },
        ...seen('hls.js'),
        ...seen('hls.js, jitter'),
        ...seen('monitor'),
        ...seen('monitor, jitter'),
        { name: 'load', unit: '' },
      ],
      rows,
      notes: [
        `Jitter delays every read from the service by up to ${jitterMs} ms, at random and in order.`,
        'At 30 fps, parts of 100, 133, 200 and 333 ms hold 3, 4, 6 and 10 frames.',
      ],
    };
  } finally {
    await browser.close();
  }
}
