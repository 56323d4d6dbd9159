import { onTestFinished } from 'vitest';
import type { EncodeTools } from '../../src/service/broadcast/encode-tools.ts';
import { OneClickBroadcasts, type OneClickBroadcastsOptions } from '../../src/service/broadcast/one-click-broadcasts.ts';
import { createSystemClock } from '../../src/service/lib/system-clock.ts';

/** Tools of which the ffmpeg is not there: starting it fails. */
export const foundTools: EncodeTools = {
  ffmpeg: { kind: 'found', path: '/nowhere/ffmpeg', version: '7', from: 'PATH' },
  clockFontPath: undefined,
  marksCapture: false,
};

/** One-click broadcasts whose steps a test holds up, and what was told of them. */
export function setUpOneClicks(options: Partial<OneClickBroadcastsOptions> = {}) {
  const told: string[] = [];
  let picks = 0;
  const oneClicks = new OneClickBroadcasts({
    clock: createSystemClock(),
    findTools: async () => foundTools,
    pickEncoder: async () => {
      picks += 1;
      return 'libx264';
    },
    onReady: () => {},
    connect: () => Promise.reject(new Error('nothing is to be sent')),
    onChange: (streamId) => told.push(`${streamId}: ${oneClicks.state(streamId).kind}`),
    onFailed: (streamId, sentence) => told.push(`${streamId} failed: ${sentence}`),
    onTrouble: (streamId, sentence) => told.push(`${streamId}: ${sentence}`),
    ...options,
  });
  onTestFinished(() => oneClicks.close());
  return { oneClicks, told, picks: () => picks };
}

/** Goes live on the stream `show`. */
export const goLive = (oneClicks: OneClickBroadcasts) => oneClicks.goLive('show', { kind: 'test-picture' }, '720p30');
