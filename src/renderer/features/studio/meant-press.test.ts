import { expect, test } from 'vitest';
import { isMeant, type Press } from './meant-press.ts';

const after = (what: Press['what'], atMs: number, last?: Press) => isMeant({ what, atMs }, last);
const goLive: Press = { what: 'go-live', atMs: 10_000 };
const stop: Press = { what: 'stop', atMs: 10_000 };

test('the second press of Go live within 1.5 s, which would be Stop by then, is not meant; nor the other way round', () => {
  expect([after('stop', 10_200, goLive), after('stop', 11_499, goLive), after('go-live', 11_499, stop)]).toEqual([
    false,
    false,
    false,
  ]);
});

test('a first press, a later one and a repeated one are meant', () => {
  expect([
    after('stop', 0),
    after('stop', 11_500, goLive),
    after('go-live', 11_500, stop),
    after('stop', 10_100, stop),
  ]).toEqual([true, true, true, true]);
});
