import { onTestFinished } from 'vitest';
import { createSystemClock } from '../../src/service/lib/system-clock.ts';
import type { EncodeTools } from '../../src/service/one-click/encode-tools.ts';
import { OneClicks, type OneClicksOptions } from '../../src/service/one-click/one-clicks.ts';

/** Tools whose ffmpeg doesn't exist: starting it fails. */
export const foundTools: EncodeTools = {
  ffmpeg: { kind: 'found', path: '/nowhere/ffmpeg', version: '7', from: 'PATH' },
  clockFontPath: undefined,
  marksCapture: false,
};

/** One-click broadcasts whose steps a test can hold up, and what they reported. */
export function setUpOneClicks(options: Partial<OneClicksOptions> = {}) {
  const told: string[] = [];
  let picks = 0;
  const oneClicks = new OneClicks({
    clock: createSystemClock(),
    network: { onReturn: () => () => {} },
    findTools: async () => foundTools,
    pickEncoder: async () => {
      picks += 1;
      return 'libx264';
    },
    looksAhead: () => false,
    onReady: () => {},
    connect: () => Promise.reject(new Error('nothing should be sent')),
    onChange: (streamId) => told.push(`${streamId}: ${oneClicks.state(streamId).kind}`),
    onFailed: (streamId, sentence) => told.push(`${streamId} failed: ${sentence}`),
    onTrouble: (streamId, sentence) => told.push(`${streamId}: ${sentence}`),
    ...options,
  });
  onTestFinished(() => oneClicks.close());
  return { oneClicks, told, picks: () => picks };
}

/** Goes live on the stream `show`. */
export const goLive = (oneClicks: OneClicks) => oneClicks.goLive('show', { kind: 'test-picture' }, '720p30');
