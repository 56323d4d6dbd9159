import { setTimeout as sleep } from 'node:timers/promises';
import { type EncodePreset, encodePresets } from '../src/shared/model/encode-settings.ts';
import { startEncoders } from '../test/support/encode-stand.ts';
import { findFfmpegs } from '../test/support/find-processes.ts';
import { type Measurement, median } from './measurement.ts';
import { readCpuSeconds, readEndedChildrenCpuSeconds } from './process-usage.ts';

/** Before measuring: both encoders run, and everything is compiled. */
const settleMs = 4_000;
const steadyMs = 8_000;
const swaps = 5;
/** From one swap to the next: the replaced encoder has ended. */
const pauseMs = 3_000;

/** The cost of replacing the running video encoder for another bitrate, and the time it takes. */
export async function measureEncoderSwap(): Promise<Measurement> {
  const rows = [];
  for (const preset of ['720p30', '1080p30'] as const) rows.push(await measurePreset(preset));
  return {
    title: `Replacing the encoder on air: test picture, x264 superfast, a keyframe each second, ${swaps} times to half the bitrate and back`,
    columns: [
      { name: '', unit: '' },
      { name: 'a swap', unit: 'CPU seconds' },
      { name: 'without it', unit: '% of a core' },
      { name: 'to the keyframe, median', unit: 'ms' },
      { name: 'longest', unit: 'ms' },
    ],
    rows,
    notes: [
      'A swap: what capture, feed and encoders use beyond what they use without one. To the keyframe: from the decision to the first',
      'frame of the new encoder, which waits for a keyframe of the running one; a keyframe is due each second.',
    ],
  };
}

async function measurePreset(preset: EncodePreset): Promise<(string | number)[]> {
  const settings = { ...encodePresets[preset], keyframeSeconds: 1 };
  await using started = await startEncoders({ settings, onUnit: () => {} });
  await sleep(settleMs);
  const steady = await measureCpu(() => sleep(steadyMs));
  const perMs = steady.cpuSeconds / steady.ms;
  const waits: number[] = [];
  const swapped = await measureCpu(async () => {
    for (let swap = 0; swap < swaps; swap += 1) {
      // Not always at the same distance from a keyframe.
      await sleep(pauseMs + (swap * 1000) / swaps);
      const atMs = performance.now();
      const bitrateBps = swap % 2 === 0 ? settings.videoBitrateBps / 2 : settings.videoBitrateBps;
      if (!(await started.encoders.replace(bitrateBps))) throw new Error('The encoder could not be replaced.');
      waits.push(performance.now() - atMs);
    }
    await sleep(pauseMs);
  });
  const cpuSeconds = (swapped.cpuSeconds - perMs * swapped.ms) / swaps;
  return [preset, cpuSeconds, perMs * 1000 * 100, median(waits), Math.max(...waits)];
}

/** CPU seconds of this process and its ffmpegs, including ffmpegs that end meanwhile. */
async function measureCpu(run: () => Promise<unknown>): Promise<{ cpuSeconds: number; ms: number }> {
  const read = async () => {
    const running = await findFfmpegs(process.pid);
    const ownSeconds = readCpuSeconds(process.pid) + readEndedChildrenCpuSeconds(process.pid);
    return running.reduce((sum, { pid }) => sum + readCpuSeconds(pid), ownSeconds);
  };
  const atMs = performance.now();
  const before = await read();
  await run();
  return { cpuSeconds: (await read()) - before, ms: performance.now() - atMs };
}
