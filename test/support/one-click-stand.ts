import { onTestFinished } from 'vitest';
import { createSystemClock } from '../../src/service/lib/system-clock.ts';
import type { EncodePlan } from '../../src/service/one-click/encode-planner.ts';
import { type EncodeTools, noTools } from '../../src/service/one-click/encode-tools.ts';
import { OneClicks, type OneClicksOptions } from '../../src/service/one-click/one-clicks.ts';
import { encodePresets } from '../../src/shared/model/encode-settings.ts';
import type { OneClickChoice } from '../../src/shared/model/one-click-choice.ts';
import { testSource } from '../../src/shared/model/source.ts';
import { noCaptures } from './no-captures.ts';

/** Tools whose ffmpeg doesn't exist: starting it fails. */
export const foundTools: EncodeTools = {
  ffmpeg: { kind: 'found', path: '/nowhere/ffmpeg', version: '7', from: 'PATH' },
  ...noTools,
};

/** The plan of a broadcast in 720p. */
export const planned: EncodePlan = {
  encoder: 'libx264',
  preview: {
    settings: encodePresets['720p30'],
    cores: { encode: 1, capture: 0, renditions: 0, all: 4, isMeasured: false },
    uploadBps: 0,
    doubts: [],
  },
};

/** One-click broadcasts whose steps a test can hold up, and their reports. */
export function setUpOneClicks(options: Partial<OneClicksOptions> = {}) {
  const told: string[] = [];
  let plans = 0;
  const oneClicks = new OneClicks({
    clock: createSystemClock(),
    network: { onReturn: () => () => {} },
    prepare: async () => {},
    findTools: async () => foundTools,
    planner: {
      async plan() {
        plans += 1;
        return planned;
      },
    },
    captures: noCaptures,
    looksAhead: () => false,
    costs: { learn: () => {} },
    onReady: () => {},
    onSourceChanged: (streamId) => told.push(`${streamId} has another source`),
    isElsewhere: () => false,
    startAudioMeter: () => {
      throw new Error('nothing should be metered');
    },
    connect: () => Promise.reject(new Error('nothing should be sent')),
    onChange: (streamId) => told.push(`${streamId}: ${oneClicks.state(streamId).kind}`),
    onFailed: (streamId, { code }) => told.push(`${streamId} failed: ${code}`),
    onCarried: () => {},
    onEvent: (streamId, { code }) => told.push(`${streamId} event: ${code}`),
    ...options,
  });
  onTestFinished(() => oneClicks.close());
  return { oneClicks, told, plans: () => plans };
}

const choice: OneClickChoice = { source: testSource, encode: { kind: 'preset', name: '720p30' } };

/** Goes live on the stream `show`. */
export const goLive = (oneClicks: OneClicks) => oneClicks.goLive('show', choice);
