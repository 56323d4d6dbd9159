import { expect, test } from 'vitest';
import { MeantSilences } from './meant-silences.ts';

test('an intended silence holds for its broadcast, whichever publisher sends it, until there were 10 s of sound', () => {
  const silences = new MeantSilences();
  const holds = (heardMs: number, sessionId = 'a') => silences.holds('stream', { sessionId, heardMs });
  expect(holds(0)).toBe(false);
  silences.accept('stream', { sessionId: 'a', heardMs: 5_000 });
  expect([holds(5_000), holds(14_900), silences.holds('other', { sessionId: 'a', heardMs: 0 })]).toEqual([true, true, false]);
  // The publisher is lost, and another one sends.
  expect([silences.holds('stream', undefined), holds(0), holds(4_000)]).toEqual([false, true, true]);
  expect([holds(15_000), holds(15_000)]).toEqual([false, false]);
  silences.accept('stream', { sessionId: 'a', heardMs: 15_000 });
  expect([holds(15_000), holds(0, 'b'), holds(0, 'a')]).toEqual([true, false, false]);
});

test('a publisher that replaces another ends it with 10 s of its own sound, however little the one before had sent', () => {
  const silences = new MeantSilences();
  silences.accept('a', { sessionId: 's', heardMs: 6_000 });
  const heard = [0, 5_900, 6_100, 9_900, 10_000, 12_000];
  // Nothing is heard while nobody sends: the same publisher may continue.
  expect([0, 6_000].map((heardMs) => silences.holds('a', { sessionId: 's', heardMs }))).toEqual([true, true]);
  expect(heard.map((heardMs) => silences.holds('a', { sessionId: 's', heardMs }))).toEqual([
    true,
    true,
    true,
    true,
    false,
    false,
  ]);
});
