import { expect, test } from 'vitest';
import { createFakeRuns, createHeardRenditions, type FakeRun } from '../../../test/support/fake-runs.ts';
import { broadcast } from '../../../test/support/flv-builder.ts';
import { placeTags, smallProfiles } from '../../../test/support/transcode-stand.ts';
import type { LadderRendition } from './ladder-rendition.ts';
import { RunQueue } from './run-queue.ts';

const units = placeTags(broadcast({ durationMs: 1_000 }));
const frames = units.filter(({ type }) => type === 'video');
const [first, second, third] = frames as [(typeof frames)[0], (typeof frames)[0], (typeof frames)[0]];
const video = units.find((unit) => unit.type === 'config' && unit.config.track === 'video');

/** A queue whose runs make the renditions `90p` and `72p`. */
function setUp() {
  const { runs, startRun } = createFakeRuns();
  const { renditions, heard } = createHeardRenditions(smallProfiles);
  const queue = new RunQueue(startRun);
  const start = (startMs: number, made: readonly LadderRendition[] = renditions): FakeRun => {
    if (video?.type !== 'config' || video.config.track !== 'video') throw new Error('There is no video.');
    queue.start({
      renditions: made,
      ffmpegPath: '/nowhere/ffmpeg',
      encoder: 'libx264',
      timeline: 0,
      startMs,
      video: video.config,
      encodedAudio: undefined,
      sourceFps: 25,
      maxQueueBytes: 1_000,
      onOverflow: () => {},
      onEnd: ({ kind }) => heard.push(`run ${startMs} ${kind}`),
    });
    return runs.at(-1)!;
  };
  /** The calls since the last time. */
  const hear = () => heard.splice(0);
  return { queue, renditions, start, hear };
}

test('output waits for the end of the run before, and then comes in order', () => {
  const { start, hear } = setUp();
  const one = start(0);
  one.putOut(first);
  expect(hear()).toEqual(['90p start 0 0', '72p start 0 0', '90p video 0 109', '72p video 0 109']);
  const two = start(40);
  two.putOut(second);
  one.options.outputs[0]?.onBreak();
  expect(hear()).toEqual(['90p start 0 40', '72p start 0 40', '90p break']);
  one.finish({ kind: 'drained' });
  expect(hear()).toEqual(['90p end', '72p end', '90p video 40 109', '72p video 40 109', 'run 0 drained']);
  two.putOut(third);
  two.finish({ kind: 'killed' });
  expect(hear()).toEqual([
    ...['90p video 80 109', '72p video 80 109'],
    ...['90p end not whole', '72p end not whole', 'run 40 killed'],
  ]);
});

test('a run that ends before an earlier one comes out after it', () => {
  const { start, hear } = setUp();
  const one = start(0);
  const two = start(40);
  hear();
  two.putOut(second);
  two.finish({ kind: 'drained' });
  expect(hear()).toEqual(['run 40 drained']);
  one.finish({ kind: 'drained' });
  expect(hear()).toEqual([
    ...['90p end', '72p end', '90p video 40 109', '72p video 40 109'],
    ...['90p end', '72p end', 'run 0 drained'],
  ]);
});

test('passed units and ends of renditions come after everything that was fed before', () => {
  const { queue, start, renditions, hear } = setUp();
  queue.pass(renditions, first);
  expect(hear()).toEqual(['90p video 0 109', '72p video 0 109']);
  const one = start(0);
  hear();
  queue.pass(renditions.slice(1), third);
  queue.leave(renditions.slice(0, 1));
  one.putOut(second);
  expect(hear()).toEqual(['90p video 40 109', '72p video 40 109']);
  one.finish({ kind: 'drained' });
  expect(hear()).toEqual(['90p end', '72p end', '72p video 80 109', '90p leave', 'run 0 drained']);
});

test('a rendition that ends at once gets nothing more, and the others get everything', () => {
  const { queue, start, renditions, hear } = setUp();
  const one = start(0);
  const two = start(40);
  two.putOut(second);
  hear();
  queue.leaveAtOnce(renditions.slice(0, 1));
  one.putOut(first);
  one.finish({ kind: 'drained' });
  two.finish({ kind: 'drained' });
  expect(hear()).toEqual([
    ...['90p leave at once', '72p video 0 109', '72p end', '72p video 40 109', 'run 0 drained'],
    ...['72p end', 'run 40 drained'],
  ]);
});

test('draining ends every run within the bound', async () => {
  const { queue, start } = setUp();
  const runs = [start(0), start(40)];
  const drained = queue.drain(12_000);
  for (const run of runs) {
    expect(run.told).toEqual([12_000]);
    run.finish({ kind: 'drained' });
  }
  await drained;
});

test('killing ends every run at once', async () => {
  const { queue, start } = setUp();
  const runs = [start(0), start(40)];
  await queue.kill();
  expect(runs.map(({ told }) => told[0])).toEqual(['kill', 'kill']);
});

test('at most three run at once: the oldest is killed for another, and its turn ends there', () => {
  const { start, hear } = setUp();
  const runs = [start(0), start(40), start(80)];
  expect(runs.map(({ told }) => told)).toEqual([[], [], []]);
  const fourth = start(120);
  expect([...runs, fourth].map(({ told }) => told)).toEqual([['kill'], [], [], []]);
  hear();
  runs[0]?.finish({ kind: 'killed' });
  expect(hear()).toEqual(['90p end not whole', '72p end not whole', 'run 0 killed']);
});
