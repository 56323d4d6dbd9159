import { mkdtemp } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Browser } from 'playwright-core';
import { findFfmpeg } from '../src/service/media-tools/find-ffmpeg.ts';
import { recommendedProfiles } from '../src/shared/model/profile.ts';
import { describeMissingFfmpeg } from '../src/shared/words/ffmpeg-words.ts';
import { launchChromium } from '../test/support/chromium.ts';
import { startFaultProxy } from '../test/support/fault-proxy.ts';
import { startBenchHost } from './bench-host.ts';
import { startChild } from './child.ts';
import { describeLoad, type Measurement, percentile } from './measurement.ts';
import { monitorPlayer, openPlayer, type PlayerKind, plainPlayer, play, startPageServer, takeWatched } from './player-page.ts';
import type { CameraQuestion } from './processes/clock-camera.ts';
import { startScreenBroadcast } from './screen-broadcast.ts';

/** Before measuring: the player settles, and all renditions appear. */
const settleSeconds = 15;

/** A scenario: the broadcast to play, and the player. */
export interface Scenario {
  name: string;
  gopSeconds: number;
  player: PlayerKind;
  /** A camera's video goes to our service or to ffmpeg's packager; `captured screen` is that of our service's computer. */
  packager: 'service' | 'service with ladder' | 'captured screen' | 'ffmpeg';
  /** Players opened one after the other: without low latency, the moment of joining decides how far behind one stays. */
  joins: number;
  aim?: string;
  /** The default of the settings unless given. */
  partMs?: number;
  /** The network to the player delays by up to this much, at random. */
  jitterMs?: number;
}

/** The players' measurements. */
interface Seen {
  latenciesMs: number[];
  claimErrorsMs: number[];
  stalls: number;
  /** Of the last player, in lines. */
  height: number;
}

const plainWithoutLowLatency: PlayerKind = { ...plainPlayer, settings: { lowLatencyMode: false } };

const scenarios: readonly Scenario[] = [
  {
    name: "the monitor's player, source only, GOP 1 s",
    gopSeconds: 1,
    player: monitorPlayer,
    packager: 'service',
    joins: 1,
    aim: '950 and 1200, no stall',
  },
  {
    name: "the monitor's player, with the ladder, GOP 1 s",
    gopSeconds: 1,
    player: monitorPlayer,
    packager: 'service with ladder',
    joins: 1,
    aim: 'at most 300 more',
  },
  {
    name: "the monitor's player, a captured screen by one click",
    gopSeconds: 1,
    player: monitorPlayer,
    packager: 'captured screen',
    joins: 1,
    aim: '900, no stall',
  },
  {
    name: 'hls.js with defaults, source only, GOP 1 s',
    gopSeconds: 1,
    player: plainPlayer,
    packager: 'service',
    joins: 1,
    aim: '',
  },
  {
    name: 'without low latency, GOP 2 s',
    gopSeconds: 2,
    player: plainWithoutLowLatency,
    packager: 'service',
    joins: 5,
    aim: "no worse than ffmpeg's",
  },
  {
    name: "ffmpeg's own HLS, 2 s segments",
    gopSeconds: 2,
    player: plainWithoutLowLatency,
    packager: 'ffmpeg',
    joins: 5,
    aim: '',
  },
];

/** Time from the clock drawn into a frame until hls.js shows that frame in Chromium. */
export async function measureGlass(folder: string, { watchSeconds }: { watchSeconds: number }): Promise<Measurement> {
  const browser = await launchChromium();
  try {
    const rows: (string | number)[][] = [];
    for (const scenario of scenarios)
      rows.push(formatRow(scenario, await watch(browser, { folder, scenario, watchSeconds }), watchSeconds));
    return {
      title: `Glass to glass: 720p30 with sound in Chromium with hls.js, ${watchSeconds} s each`,
      columns: [
        { name: '', unit: '' },
        { name: 'least', unit: 'ms' },
        { name: 'median', unit: 'ms' },
        { name: 'p95', unit: 'ms' },
        { name: 'most', unit: 'ms' },
        { name: 'claim off, median', unit: 'ms' },
        { name: 'p95', unit: 'ms' },
        { name: 'stalls', unit: '' },
        { name: 'frames', unit: '1/s' },
        { name: 'lines', unit: '' },
        { name: 'load', unit: '' },
        { name: 'aim', unit: '' },
      ],
      rows,
      notes: [
        'The camera draws the wall clock into each frame before encoding (x264 superfast, zerolatency, 2.5 Mbit/s).',
        'The page reads it back when the frame is shown (requestVideoFrameCallback); Chromium decodes and draws without a GPU.',
        "The monitor's player is hls.js with its settings and its catching up (live-edge.ts); the others are hls.js with its defaults.",
        'The claim error is the difference between the program date-times (capture stamps, as in the monitor) and the clock in the frame.',
        'Without low latency five players join one after the other at random points of a segment; each stays as far behind as it started.',
        'Camera, encoder, service and player share the machine.',
      ],
    };
  } finally {
    await browser.close();
  }
}

/** A broadcast to play. */
interface Shown extends AsyncDisposable {
  url: string;
}

/** Plays this scenario. */
export async function watch(
  browser: Browser,
  { folder, scenario, watchSeconds }: { folder: string; scenario: Scenario; watchSeconds: number },
): Promise<Seen> {
  const { joins, jitterMs } = scenario;
  const files = await mkdtemp(join(folder, 'hls-'));
  await using pages = await startPageServer(files);
  await using shown = await show(scenario, { files, filesUrl: pages.url });
  const playback = new URL(shown.url);
  await using network = jitterMs === undefined ? undefined : await startFaultProxy(Number(playback.port), { isOneWay: true });
  network?.delay(0, jitterMs);
  if (network !== undefined) playback.port = String(network.port);
  // A viewer who joins later, when all renditions exist.
  await sleep(settleSeconds * 500);
  const latenciesMs: number[] = [];
  const claimErrorsMs: number[] = [];
  let stalls = 0;
  let height = 0;
  for (let join = 0; join < joins; join += 1) {
    const page = await openPlayer(browser, pages.url);
    await play(page, playback.href, scenario.player);
    await sleep((settleSeconds * 1000) / joins);
    await takeWatched(page);
    await sleep((watchSeconds * 1000) / joins);
    const watched = await takeWatched(page);
    await page.close();
    latenciesMs.push(...watched.latenciesMs);
    claimErrorsMs.push(...watched.claimErrorsMs);
    stalls += watched.stalls;
    height = watched.height;
    for (const error of new Set(watched.errors)) console.error(`${scenario.name}: hls.js says ${error}.`);
    if (watched.unreadable > 0) console.error(`${scenario.name}: the clock could not be read in ${watched.unreadable} frames.`);
  }
  return { latenciesMs, claimErrorsMs, stalls, height };
}

/** Starts this scenario's broadcast. ffmpeg's packager writes to `files`, which are served at `filesUrl`. */
async function show(
  { packager, gopSeconds, partMs }: Scenario,
  { files, filesUrl }: { files: string; filesUrl: string },
): Promise<Shown> {
  if (packager === 'captured screen') {
    const broadcast = await startScreenBroadcast({ fps: 30 });
    return { url: broadcast.playbackUrl, [Symbol.asyncDispose]: () => broadcast[Symbol.asyncDispose]() };
  }
  const ffmpeg = await findFfmpeg();
  if (ffmpeg.kind === 'missing') throw new Error(describeMissingFfmpeg(ffmpeg.reason));
  await using stack = new AsyncDisposableStack();
  let url = `${filesUrl}index.m3u8`;
  let to: CameraQuestion['to'] = { kind: 'ffmpeg-hls', folder: files, segmentSeconds: gopSeconds };
  if (packager !== 'ffmpeg') {
    const service = stack.use(await startBenchHost({ partMs }));
    const profiles = packager === 'service with ladder' ? recommendedProfiles : [];
    const { streamKey, playbackId } = await service.createStream('glass', profiles);
    url = `${service.host.ready.playbackBaseUrl}/${playbackId}/index.m3u8`;
    to = { kind: 'rtmp', port: service.rtmpPort, streamKey };
  }
  const camera = stack.use(startChild('clock-camera'));
  await camera.ask({ ffmpegPath: ffmpeg.path, gopSeconds, to } satisfies CameraQuestion);
  const kept = stack.move();
  return { url, [Symbol.asyncDispose]: () => kept.disposeAsync() };
}

function formatRow({ name, aim = '' }: Scenario, seen: Seen, watchSeconds: number): (string | number)[] {
  const { latenciesMs, claimErrorsMs, stalls, height } = seen;
  return [
    name,
    ...[0, 50, 95, 100].map((percent) => (latenciesMs.length > 0 ? percentile(latenciesMs, percent) : 'no picture')),
    ...describeClaim(claimErrorsMs),
    String(stalls),
    latenciesMs.length / watchSeconds,
    String(height),
    describeLoad(),
    aim,
  ];
}

/** The median claim error, signed, and the absolute error that nearly all stay below. */
function describeClaim(errorsMs: readonly number[]): (string | number)[] {
  if (errorsMs.length === 0) return ['', ''];
  return [percentile(errorsMs, 50), percentile(errorsMs.map(Math.abs), 95)];
}
