import { expect, test } from 'vitest';
import { ownSoftware } from '../rtmp/software.ts';
import { HoldAfterStop } from './hold-after-stop.ts';

const same = (atMs: number) => atMs;
const obs = ['FMLE/3.0', 'OBS Studio 29.0.2'] as const;
const unnamed = [undefined, undefined] as const;
const own = [ownSoftware, undefined] as const;

test('OBS, which tries 25 times and half as long again apart, is refused every time', () => {
  const hold = new HoldAfterStop();
  let now = 1_000;
  let pauseMs = 2_000;
  hold.begin(now);
  for (let attempt = 0; attempt < 25; attempt += 1) {
    now += pauseMs;
    expect(hold.refuses(now, ...obs)).toBe(true);
    pauseMs = Math.min(pauseMs * 1.5, 15 * 60_000);
  }
  expect(hold.view(same)).toEqual({ since: 1_000, lastTriedAt: now, software: 'OBS Studio 29.0.2' });
});

test('it ends when no encoder has tried for a minute', () => {
  const hold = new HoldAfterStop();
  hold.begin(0);
  expect(hold.refuses(30_000, ...unnamed)).toBe(true);
  expect(hold.lapse(89_999)).toBe(false);
  expect([hold.lapse(90_000), hold.lapse(90_000)]).toEqual([true, false]);
  expect(hold.refuses(90_000, ...unnamed)).toBe(false);
});

test('it ends when the owner says so', () => {
  const hold = new HoldAfterStop();
  hold.begin(0);
  hold.letIn('all', 1);
  expect([hold.refuses(1, ...unnamed), hold.view(same)]).toEqual([false, undefined]);
});

test('once let in, the encoder that tried is waited for until it is back, or no more try is to be expected', () => {
  const hold = new HoldAfterStop();
  hold.begin(0);
  hold.letIn('all', 1);
  // Nobody tried: nobody is waited for.
  expect(hold.view(same)).toBeUndefined();

  hold.begin(1_000);
  hold.refuses(3_000, ...obs);
  hold.letIn('all', 4_000);
  const awaited = { since: 1_000, lastTriedAt: 3_000, letInAt: 4_000, software: 'OBS Studio 29.0.2' };
  expect([hold.view(same), hold.refuses(6_000, ...obs), hold.view(same)]).toEqual([awaited, false, undefined]);

  hold.begin(10_000);
  hold.refuses(12_000, ...obs);
  hold.refuses(52_000, ...obs);
  hold.letIn('all', 53_000);
  expect([hold.lapse(131_999), hold.view(same) === undefined, hold.lapse(132_000)]).toEqual([false, false, true]);
  expect(hold.view(same)).toBeUndefined();

  hold.begin(140_000);
  hold.refuses(141_000, ...obs);
  hold.letIn('all', 142_000);
  hold.begin(143_000);
  expect([hold.view(same), hold.refuses(144_000, ...obs)]).toEqual([{ since: 143_000 }, true]);
});

test('whoever lets an encoder in and then goes live from here is not pushed off air by it', () => {
  const hold = new HoldAfterStop();
  hold.begin(0);
  hold.refuses(2_000, ...obs);
  hold.letIn('all', 3_000);
  hold.letIn('own', 4_000);
  expect([hold.refuses(5_000, ...own), hold.refuses(6_000, ...obs)]).toEqual([false, true]);
  hold.letIn('all', 7_000);
  expect(hold.refuses(8_000, ...obs)).toBe(false);
});

test('Go live lets our own encoder in, and no encoder that still reconnects', () => {
  const hold = new HoldAfterStop();
  hold.begin(0);
  expect(hold.refuses(1_000, ...own)).toBe(true);
  hold.letIn('own', 2_000);
  expect([hold.view(same), hold.refuses(3_000, ...own), hold.view(same)]).toEqual([undefined, false, undefined]);
  expect(hold.refuses(4_000, ...obs)).toBe(true);
  const seen = { since: 0, lastTriedAt: 4_000, software: 'OBS Studio 29.0.2' };
  expect(hold.view(same)).toEqual(seen);
  // Our own reconnects: that hides nobody who was refused.
  hold.letIn('own', 4_500);
  expect([hold.refuses(4_500, ...own), hold.view(same)]).toEqual([false, seen]);
  hold.begin(5_000);
  expect(hold.refuses(6_000, ...own)).toBe(true);
});
