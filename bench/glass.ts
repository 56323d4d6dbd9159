import { mkdtemp } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Browser } from 'playwright-core';
import { findFfmpeg } from '../src/service/media-tools/find-ffmpeg.ts';
import { recommendedProfiles } from '../src/shared/model/profile.ts';
import { launchChromium } from '../test/support/chromium.ts';
import { startBenchHost } from './bench-host.ts';
import { startChild } from './child.ts';
import { describeLoad, type Measurement, percentile } from './measurement.ts';
import { openPlayer, play, startPageServer, takeWatched } from './player-page.ts';
import type { CameraQuestion } from './processes/clock-camera.ts';

/** Before it is measured: the player finds its place, the ladder is all there. */
const settleSeconds = 15;

interface Scenario {
  name: string;
  gopSeconds: number;
  lowLatencyMode: boolean;
  packager: 'service' | 'service with ladder' | 'ffmpeg';
  aim: string;
}

const scenarios: readonly Scenario[] = [
  {
    name: 'low latency, source only, GOP 1 s',
    gopSeconds: 1,
    lowLatencyMode: true,
    packager: 'service',
    aim: '950 and 1200, no stall',
  },
  {
    name: 'low latency, with the ladder, GOP 1 s',
    gopSeconds: 1,
    lowLatencyMode: true,
    packager: 'service with ladder',
    aim: 'at most 300 more',
  },
  {
    name: 'without low latency, GOP 2 s',
    gopSeconds: 2,
    lowLatencyMode: false,
    packager: 'service',
    aim: "no worse than ffmpeg's",
  },
  { name: "ffmpeg's own HLS, 2 s segments", gopSeconds: 2, lowLatencyMode: false, packager: 'ffmpeg', aim: '' },
];

/** From the time drawn into a picture until hls.js shows that picture in Chromium. */
export async function measureGlass(folder: string, { watchSeconds }: { watchSeconds: number }): Promise<Measurement> {
  const browser = await launchChromium();
  try {
    const rows: (string | number)[][] = [];
    for (const scenario of scenarios) rows.push(await measureScenario(browser, folder, scenario, watchSeconds));
    return {
      title: `Glass to glass: 720p30 with sound in Chromium with hls.js, ${watchSeconds} s each`,
      columns: [
        { name: '', unit: '' },
        { name: 'median', unit: 'ms' },
        { name: 'p95', unit: 'ms' },
        { name: 'most', unit: 'ms' },
        { name: 'stalls', unit: '' },
        { name: 'frames', unit: '1/s' },
        { name: 'lines', unit: '' },
        { name: 'load', unit: '' },
        { name: 'aim', unit: '' },
      ],
      rows,
      notes: [
        'The camera draws the wall clock into each picture before the encoder (x264 superfast, zerolatency, 2.5 Mbit/s) has it.',
        'The page reads it back when the picture is shown (requestVideoFrameCallback); Chromium decodes and draws without a GPU.',
        'hls.js has its defaults, but no worker, and may catch up at 1.08 times the speed; it stops doing so with 1 s in its buffer.',
        'Camera, encoder, service and player share the machine.',
      ],
    };
  } finally {
    await browser.close();
  }
}

async function measureScenario(browser: Browser, folder: string, scenario: Scenario, watchSeconds: number) {
  const ffmpeg = await findFfmpeg();
  if (ffmpeg.kind === 'missing') throw new Error(ffmpeg.sentence);
  const { gopSeconds, packager } = scenario;
  await using service = packager === 'ffmpeg' ? undefined : await startBenchHost();
  const files = await mkdtemp(join(folder, 'hls-'));
  await using pages = await startPageServer(files);
  await using camera = startChild('clock-camera');
  let url = `${pages.url}index.m3u8`;
  let to: CameraQuestion['to'] = { kind: 'ffmpeg-hls', folder: files, segmentSeconds: gopSeconds };
  if (service !== undefined) {
    const profiles = packager === 'service with ladder' ? recommendedProfiles : [];
    const { streamKey, playbackId } = await service.createStream('glass', profiles);
    url = `${service.host.ready.playbackBaseUrl}/${playbackId}/index.m3u8`;
    to = { kind: 'rtmp', port: service.rtmpPort, streamKey };
  }
  await camera.ask({ ffmpegPath: ffmpeg.path, gopSeconds, to } satisfies CameraQuestion);
  // A viewer who comes later, when every rendition is there.
  await sleep(settleSeconds * 500);
  const page = await openPlayer(browser, pages.url);
  await play(page, url, scenario.lowLatencyMode);
  await sleep(settleSeconds * 1000);
  await takeWatched(page);
  await sleep(watchSeconds * 1000);
  const { latenciesMs, stalls, unreadable, errors, height } = await takeWatched(page);
  await page.close();
  for (const error of new Set(errors)) console.error(`${scenario.name}: hls.js says ${error}.`);
  if (unreadable > 0) console.error(`${scenario.name}: the clock could not be read in ${unreadable} frames.`);
  return [
    scenario.name,
    ...[50, 95, 100].map((percent) => (latenciesMs.length > 0 ? percentile(latenciesMs, percent) : 'no picture')),
    String(stalls),
    latenciesMs.length / watchSeconds,
    String(height),
    describeLoad(),
    scenario.aim,
  ];
}
