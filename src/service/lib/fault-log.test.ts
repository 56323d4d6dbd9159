import { expect, test } from 'vitest';
import { createTestLog } from '../../../test/support/store-stand.ts';
import { createFaultLog } from './fault-log.ts';

test('a repeating fault is logged five times in 10 s, and hides no other', () => {
  const { log, lines } = createTestLog();
  let time = 0;
  const tell = createFaultLog(log, () => time);
  for (let second = 0; second < 20; second += 1) {
    for (let stream = 0; stream < 3; stream += 1) tell({ error: new Error('again'), during: 'the tick of a stream' });
    time += 1_000;
  }
  tell({ error: new Error('another'), during: 'a listener' });
  expect(lines.map(({ level, during, more }) => ({ level, during, more }))).toEqual([
    ...[undefined, undefined, undefined, undefined, undefined, 25, undefined, undefined, undefined, undefined].map((more) => ({
      level: 50,
      during: 'the tick of a stream',
      more,
    })),
    { level: 50, during: 'a listener', more: undefined },
  ]);
});
