import { expect, test } from 'vitest';
import { isMeant, type Press } from './meant-press.ts';

const after = (what: Press['what'], atMs: number, last?: Press) => isMeant({ what, atMs }, last);
const goLive: Press = { what: 'go-live', atMs: 10_000 };
const stop: Press = { what: 'stop', atMs: 10_000 };

test('a second press within 1.5 s that now hits the other button is not intended', () => {
  expect([after('stop', 10_200, goLive), after('stop', 11_499, goLive), after('go-live', 11_499, stop)]).toEqual([
    false,
    false,
    false,
  ]);
});

test('first, later and repeated presses are intended', () => {
  expect([
    after('stop', 0),
    after('stop', 11_500, goLive),
    after('go-live', 11_500, stop),
    after('stop', 10_100, stop),
  ]).toEqual([true, true, true, true]);
});
