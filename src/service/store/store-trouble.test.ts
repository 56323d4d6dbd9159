import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createTestLog } from '../../../test/support/store-stand.ts';
import { StoreError } from './store-fault.ts';
import { createStoreTrouble } from './store-trouble.ts';

beforeEach(() => vi.useFakeTimers({ toFake: ['performance'] }));
afterEach(() => vi.useRealTimers());

test('a trouble that lasts a second is logged when it begins and when it ends, with its duration; a shorter one is not', () => {
  const { log, lines } = createTestLog();
  const trouble = createStoreTrouble(log, () => 0);
  const refuseFor = (ms: number) => {
    trouble.noteRefusal(new StoreError({ code: 'locked' }));
    vi.advanceTimersByTime(ms);
    trouble.noteRefusal(new StoreError({ code: 'locked' }));
  };
  refuseFor(999);
  trouble.noteSuccess();
  expect(lines).toEqual([]);
  refuseFor(1_000);
  vi.advanceTimersByTime(60_400);
  trouble.noteSuccess();
  expect(lines.map(({ msg, seconds }) => [msg, seconds])).toEqual([
    ['The store cannot be written. Changes are kept in memory.', undefined],
    ['The store can be written again. All waiting changes are on disk.', 61],
  ]);
});
