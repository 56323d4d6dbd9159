import { expect, test } from 'vitest';
import { patienceLeftMs } from './use-lost-contact.ts';

test("a lost service is awaited for 0.6 s, and no longer if the page's clock is set back", () => {
  const sinceMs = 1_700_000_000_000;
  const left = [0, 250, 600, 5_000, 3_600_000, -3_600_000].map((laterMs) => patienceLeftMs(sinceMs, sinceMs + laterMs));
  expect(left).toEqual([600, 350, 0, 0, 0, 600]);
});
