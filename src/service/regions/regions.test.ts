import { expect, test } from 'vitest';
import { openRegionStand, ownPair, ownUrls, pairOf, threeRegions, urlsOf } from '../../../test/support/region-stand.ts';
import { contentSecurityPolicy } from '../../shared/content-security-policy.ts';
import type { Settings } from '../../shared/model/settings.ts';

const own = '127.0.0.1:1935';
const jfk = '10.0.0.2';
const sin = '10.0.0.3';
const here = { address: '127.0.0.1', isOnThisComputer: true };

const openRegions = (times: Readonly<Record<string, number>>) => openRegionStand(threeRegions, times);

test('all pairs are those of every region, each with its base', () => {
  const { regions, measured } = openRegions({});
  expect(regions.allPairs(here)).toEqual([ownUrls, urlsOf(jfk), urlsOf(sin)]);
  expect(measured).toEqual([]);
});

test("pages may play from the other regions' origins, and no host widens their policy", () => {
  const hosts = ['10.0.0.2', 'cdn.example.com:8443', '*', '*.example.com', 'x.example;sandbox', 'y.example,sandbox'];
  const { regions } = openRegionStand({ regions: hosts.map((host) => ({ code: 'jfk', urls: urlsOf(host) })) });
  expect(regions.mediaOrigins()).toEqual(['http://10.0.0.2', 'http://cdn.example.com:8443']);
  expect(contentSecurityPolicy(regions.mediaOrigins())).not.toMatch(/sandbox|\*/);
});

test.each([
  [{ [own]: 0.2, [jfk]: 80, [sin]: 9 }, ownPair],
  [{ [own]: 30, [jfk]: 80, [sin]: 9 }, pairOf(sin)],
  [{ [jfk]: 80 }, pairOf(jfk)],
  [{}, ownPair],
])('a caller on this computer gets the region with the shortest of %j', async (times, pair) => {
  const { regions, measured } = openRegions(times);
  expect(await regions.nearestPair(here)).toEqual(pair);
  expect(await regions.nearestPair(here)).toEqual(pair);
  // Each is measured once: the second answer uses the times of the first.
  expect(measured).toEqual([own, jfk, sin]);
});

test.each<[string, Partial<Settings>, Readonly<Record<string, number>>, string, string[]]>([
  ['the chosen region, unmeasured and even if it is the farthest', { regionChoice: 'jfk' }, { [jfk]: 80, [sin]: 9 }, 'jfk', []],
  ['the nearest of all, this computer too', {}, { [own]: 30, [jfk]: 80, [sin]: 9 }, 'sin', [own, jfk, sin]],
  ['the nearest, if the chosen one was removed from the list', { regionChoice: 'ams' }, { [sin]: 9 }, 'sin', [own, jfk, sin]],
  ['this computer, if no region can be reached', {}, {}, 'ber', [own, jfk, sin]],
  ['this computer, unmeasured, if there is no other region', { regions: [] }, {}, 'ber', []],
])('Go live sends to %s, and screens say so', async (_what, changes, times, code, asked) => {
  const { regions, measured } = openRegionStand({ ...threeRegions, ...changes }, times);
  // Until they are measured, the nearest region isn't known.
  expect(regions.view().chosen).toBe(changes.regionChoice === 'jfk' ? 'jfk' : 'ber');
  expect((await regions.choose()).code).toBe(code);
  expect([regions.view().chosen, measured]).toEqual([code, asked]);
});

test.each([
  ['198.51.100.7', pairOf(jfk)],
  ['::ffff:198.51.100.7', pairOf(jfk)],
  ['2001:db8::7', pairOf(sin)],
  // A network of a region that isn't in the list any more.
  ['203.0.113.7', ownPair],
  ['192.0.2.1', ownPair],
  [undefined, ownPair],
])('a caller from %s gets the region of its network, or this one, without a measurement', (address, pair) => {
  const { regions, measured } = openRegions({ [sin]: 1 });
  expect(regions.nearestPair({ address, isOnThisComputer: false })).toEqual(pair);
  expect(measured).toEqual([]);
});

test('no answer depends on an earlier one: changed settings count at once', async () => {
  const { regions, settings, measured } = openRegions({ [own]: 30, [jfk]: 80, [sin]: 9 });
  const elsewhere = { address: '198.51.100.7', isOnThisComputer: false };
  expect(regions.nearestPair(elsewhere)).toEqual(pairOf(jfk));
  settings.regionNetworks = [{ network: '198.51.0.0/16', region: 'sin' }];
  expect(regions.nearestPair(elsewhere)).toEqual(pairOf(sin));
  settings.regions = [];
  expect([regions.nearestPair(elsewhere), regions.nearestPair(here), measured]).toEqual([ownPair, ownPair, []]);
});

test("without a network this computer's region is no way out, and with one it is", async () => {
  let hasNetwork = false;
  const { regions } = openRegionStand(threeRegions, { [own]: 0.2 }, () => hasNetwork);
  expect(await regions.findReachable()).toEqual([]);
  hasNetwork = true;
  expect((await regions.findReachable()).map(({ code }) => code)).toEqual(['ber']);
});

const lookupFailed = { code: 'lookup-failed', host: 'jfk' } as const;
const noRoute = { code: 'unreachable', address: 'sin:1935', reason: 'EHOSTUNREACH' } as const;
const refused = { code: 'connection-refused', address: 'sin:1935' } as const;

test.each([
  ['no other region answers', false, { [own]: 0.2, [jfk]: lookupFailed, [sin]: noRoute }],
  ['another one can be reached', true, { [own]: 0.2, [jfk]: lookupFailed, [sin]: 9 }],
  ['the computer of another one refuses', true, { [own]: 0.2, [jfk]: lookupFailed, [sin]: refused }],
])("if %s, whether a broadcast may move to this computer's region without a question is %s", async (_when, mayMove, times) => {
  const { regions } = openRegionStand(threeRegions, times);
  const [next, ...others] = await regions.findReachable();
  // This computer is a region that can be offered.
  expect(next).toMatchObject({ code: 'ber', isOwn: true });
  expect([{ isOwn: true }, ...others].map((region) => regions.mayMoveTo(region))).toEqual([mayMove, ...others.map(() => true)]);
});

test("between regions on one computer, a broadcast may move to this one's", async () => {
  const sibling = urlsOf('127.0.0.1:1945');
  const { regions } = openRegionStand(
    { regions: [{ code: 'jfk', urls: sibling }] },
    { [own]: 0.2, '127.0.0.1:1945': lookupFailed },
  );
  await regions.findReachable();
  expect(regions.mayMoveTo({ isOwn: true })).toBe(true);
});
