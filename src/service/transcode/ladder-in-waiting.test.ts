import { expect, onTestFinished, test } from 'vitest';
import { createRendition } from '../../../test/support/ladder-rendition.ts';
import { recommendedProfiles } from '../../shared/model/profile.ts';
import { onFault } from '../lib/faults.ts';
import { aacFormat } from '../media/aac-format.ts';
import { type PlacedUnit, placedTimescale } from '../media/media-unit.ts';
import type { PickedEncoder } from './encoder-choice.ts';
import { LadderInWaiting } from './ladder-in-waiting.ts';
import type { LadderRendition } from './ladder-rendition.ts';
import type { RunningLadder } from './running-ladder.ts';

const picked: PickedEncoder = {
  ffmpeg: { kind: 'found', path: '/bin/ffmpeg', version: '5.1', from: 'PATH' },
  encoder: 'libx264',
  canDecode: () => true,
};
const [high, low] = recommendedProfiles.map((profile) => createRendition(profile)) as [LadderRendition, LadderRendition];
const config = aacFormat.parseRecord(Buffer.from('1190', 'hex'));
const unit = (dts: number): PlacedUnit => ({
  type: 'audio',
  timeline: 0,
  timescale: placedTimescale,
  dts,
  config,
  data: Buffer.alloc(1),
});

/** A waiting ladder, and the calls to the ladder that it starts. */
function wait(parts: Partial<RunningLadder> = {}) {
  const told: unknown[] = [];
  const encoder = Promise.withResolvers<PickedEncoder>();
  const ladder: RunningLadder = {
    stateOf: (rendition) => (rendition === high ? 'running' : 'shed'),
    push: ({ dts }) => told.push(dts),
    tick: () => told.push('tick'),
    leaveOut: (renditions) => told.push(renditions),
    drain: async () => void told.push('drain'),
    ...parts,
  };
  const waiting = new LadderInWaiting({
    encoder: encoder.promise,
    start: (using) => {
      told.push(using.encoder);
      return ladder;
    },
    onFailure: () => told.push('failed'),
  });
  return { waiting, told, encoder };
}

test('media from before the encoder is known is encoded first, and in order', async () => {
  const { waiting, told, encoder } = wait();
  waiting.push(unit(0));
  waiting.push(unit(40));
  waiting.tick();
  expect([high, low].map((rendition) => waiting.stateOf(rendition))).toEqual(['waiting', 'waiting']);
  encoder.resolve(picked);
  await encoder.promise;
  waiting.push(unit(80));
  waiting.tick();
  expect([high, low].map((rendition) => waiting.stateOf(rendition))).toEqual(['running', 'shed']);
  expect(told).toEqual(['libx264', 0, 40, 80, 'tick']);
});

test('a broadcast that ends before the encoder is known is encoded too', async () => {
  const { waiting, told, encoder } = wait();
  waiting.push(unit(0));
  const drained = waiting.drain();
  encoder.resolve(picked);
  await drained;
  expect(told).toEqual(['libx264', 0, 'drain']);
});

test('renditions left out before the encoder is known are left out before the ladder is fed', async () => {
  const { waiting, told, encoder } = wait();
  waiting.push(unit(0));
  waiting.leaveOut([low]);
  encoder.resolve(picked);
  await waiting.drain();
  expect(told).toEqual(['libx264', [low], 0, 'drain']);
});

test('a ladder that throws as it starts is given up, and harms nothing else', async () => {
  const faults: string[] = [];
  onTestFinished(onFault(({ during }) => void faults.push(during)));
  const fail = () => {
    throw new Error('A bug.');
  };
  const { waiting, told, encoder } = wait({ push: fail });
  waiting.push(unit(0));
  encoder.resolve(picked);
  await waiting.drain();
  waiting.push(unit(40));
  expect([high, low].map((rendition) => waiting.stateOf(rendition))).toEqual(['given-up', 'given-up']);
  expect([told, faults]).toEqual([['libx264', 'failed', 'drain'], ['starting a ladder']]);
});
