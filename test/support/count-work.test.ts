import { expect, test } from 'vitest';
import { startCountingWork } from './count-work.ts';

const nulls = Buffer.alloc(900, 5);
const bounds = { maxDepth: 16, maxValues: 1_000 };
const earlier = await import('../../src/service/rtmp/amf0.ts');
// Often enough that V8 has compiled and optimized it.
for (let turn = 0; turn < 3_000; turn += 1) earlier.parseAmf0(nulls, bounds);

const { countWork } = await startCountingWork();
const { parseAmf0 } = await import('../../src/service/rtmp/amf0.ts');

test('modules that already ran in this worker are counted in full, each time', () => {
  const count = () => countWork(() => void parseAmf0(nulls, bounds)).steps;
  const first = count();
  expect(first).toBeGreaterThan(3 * nulls.length);
  for (let turn = 0; turn < 1_000; turn += 1) parseAmf0(nulls, bounds);
  expect(count()).toBe(first);
});
