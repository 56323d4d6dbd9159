import { expect, test, vi } from 'vitest';
import { createFakePublisher } from '../../../test/support/fake-publisher.ts';
import { soon } from '../../../test/support/soon.ts';
import type { MediaPublisher, PublicationEnd } from '../publishing/media-publisher.ts';
import { PublishError } from '../publishing/publish-error.ts';
import { RegionRoute, type RouteRegion } from './region-route.ts';

const region = (code: string): RouteRegion => ({ code, ingest: `rtmp://${code}/live`, playback: `https://${code}/hls` });
const ber = region('ber');
const jfk = region('jfk');
const sin = region('sin');
const never = new AbortController().signal;
const refusedConnection = { code: 'connection-refused', address: 'jfk:1935' } as const;
const lost: PublicationEnd = { kind: 'lost', failure: { code: 'closed', during: 'sending' } };
const unreachable = () => Promise.reject(new PublishError('unreachable', refusedConnection));
const refuse = () => Promise.reject(new PublishError('refused', { code: 'key-refused', says: undefined }));

type Publish = (signal: AbortSignal) => Promise<MediaPublisher>;

/** A publication that the test ends. */
function openPublisher() {
  const { promise, resolve } = Promise.withResolvers<PublicationEnd>();
  const publisher = createFakePublisher(() => promise);
  return { publisher, publish: async () => publisher, end: resolve };
}

/**
 * A route that begins in New York. `ingests` sets how each region's ingest answers, `reachable` which regions can be reached,
 * once `untilMeasured` resolves, `mayChange` whether the route may change its region without asking, and `findIssuer` which region gave the stream its key.
 */
function startRoute({
  mayChange = false,
  reachable = [ber, sin],
  untilMeasured = async () => {},
  findIssuer,
}: {
  mayChange?: boolean | ((next: RouteRegion) => boolean);
  reachable?: RouteRegion[];
  untilMeasured?: () => Promise<void>;
  findIssuer?: () => Promise<RouteRegion | undefined>;
} = {}) {
  let atMs = 0;
  let searches = 0;
  const told: unknown[] = [];
  const changes: unknown[] = [];
  const ingests = new Map<string, Publish>([['jfk', unreachable]]);
  const route = new RegionRoute({
    choose: async () => jfk,
    list: () => [jfk, ber, sin],
    ...(findIssuer && { findIssuer }),
    findReachable: async () => {
      searches += 1;
      await untilMeasured();
      return reachable;
    },
    publish: ({ code }, { signal }) => {
      told.push(code);
      return (ingests.get(code) ?? unreachable)(signal);
    },
    mayChange: (next) => (typeof mayChange === 'boolean' ? mayChange : mayChange(next)),
    clock: { monotonicMs: () => atMs },
    retry: () => told.push('retry'),
    onChange: () => changes.push(codes()),
    onEvent: (event) => told.push(event),
    patienceMs: 0,
  });
  const pass = (ms: number) => {
    atMs += ms;
  };
  const codes = () => [route.region?.code, route.offer?.code];
  return { route, told, changes, ingests, pass, searches: () => searches, codes };
}

const failedTo = (next: string, isOffer: boolean, failure: unknown = refusedConnection) =>
  expect.objectContaining({ code: 'region-failed', region: 'jfk', next, isOffer, failure });

test('a region that fails is kept, and the next nearest is offered and taken', async () => {
  const { route, told, ingests, codes } = startRoute();
  await expect(route.connect(never)).rejects.toMatchObject({ failure: refusedConnection });
  await soon(() => expect(codes()).toEqual(['jfk', 'ber']));
  // Another attempt changes nothing and logs nothing more.
  await expect(route.connect(never)).rejects.toMatchObject({ failure: refusedConnection });
  const { publisher, publish } = openPublisher();
  ingests.set('ber', publish);
  route.takeOffer('ber');
  expect(await route.connect(never)).toBe(publisher);
  expect(codes()).toEqual(['ber', undefined]);
  expect(told).toEqual([
    'jfk',
    failedTo('ber', true),
    'jfk',
    { code: 'region-changed', from: 'jfk', to: 'ber', isAutomatic: false },
    'retry',
    'ber',
  ]);
});

test('an offer is gone when the region is back', async () => {
  const { route, ingests, codes } = startRoute();
  await expect(route.connect(never)).rejects.toThrow();
  await soon(() => expect(codes()).toEqual(['jfk', 'ber']));
  ingests.set('jfk', openPublisher().publish);
  await route.connect(never);
  expect(codes()).toEqual(['jfk', undefined]);
  expect(route.takeOffer('ber')).toBe(false);
  expect(codes()).toEqual(['jfk', undefined]);
});

test('only the region that was asked for is taken, once it is the one that is offered', async () => {
  const reachable = [ber, sin];
  const { route, ingests, told, codes } = startRoute({ reachable });
  await expect(route.connect(never)).rejects.toThrow();
  await soon(() => expect(codes()).toEqual(['jfk', 'ber']));
  reachable.shift();
  await expect(route.connect(never)).rejects.toThrow();
  await soon(() => expect(codes()).toEqual(['jfk', 'sin']));
  expect(route.takeOffer('ber')).toBe(false);
  expect(codes()).toEqual(['jfk', 'sin']);
  expect(route.takeOffer('sin')).toBe(true);
  ingests.set('sin', openPublisher().publish);
  await route.connect(never);
  // Pressed twice, or on two screens.
  expect(route.takeOffer('sin')).toBe(true);
  expect(codes()).toEqual(['sin', undefined]);
  expect(told).toContainEqual({ code: 'region-changed', from: 'jfk', to: 'sin', isAutomatic: false });
});

test('an offer lapses with the end of the broadcast', async () => {
  const { route, told, codes } = startRoute();
  await expect(route.connect(never)).rejects.toThrow();
  await soon(() => expect(codes()).toEqual(['jfk', 'ber']));
  const before = [...told];
  route.close();
  expect(route.takeOffer('ber')).toBe(false);
  expect([told, codes()]).toEqual([before, ['jfk', 'ber']]);
});

test('with leave, the next nearest is taken when a connection is lost and its region cannot be reached', async () => {
  const { route, told, ingests, codes } = startRoute({ mayChange: true });
  const first = openPublisher();
  ingests.set('jfk', first.publish);
  await route.connect(never);
  ingests.set('jfk', unreachable);
  first.end(lost);
  await soon(() => expect(codes()).toEqual(['ber', undefined]));
  expect(told).toEqual([
    'jfk',
    failedTo('ber', false, { code: 'closed', during: 'sending' }),
    { code: 'region-changed', from: 'jfk', to: 'ber', isAutomatic: true },
    'retry',
  ]);
});

test('a region that is offered is taken as soon as it may be', async () => {
  const trusted: RouteRegion[] = [];
  const { route, told, codes } = startRoute({ mayChange: (next) => trusted.includes(next) });
  await expect(route.connect(never)).rejects.toThrow();
  await soon(() => expect(codes()).toEqual(['jfk', 'ber']));
  trusted.push(ber);
  await expect(route.connect(never)).rejects.toThrow();
  await soon(() => expect(codes()).toEqual(['ber', undefined]));
  expect(told).toEqual([
    'jfk',
    failedTo('ber', true),
    'jfk',
    { code: 'region-changed', from: 'jfk', to: 'ber', isAutomatic: true },
    'retry',
  ]);
});

test('attempts that failed while a region could not be reached do not count once it can be', async () => {
  const reachable: RouteRegion[] = [];
  const { route, codes } = startRoute({ mayChange: true, reachable });
  const failOnce = async () => {
    await expect(route.connect(never)).rejects.toThrow();
    await new Promise(setImmediate);
    return codes();
  };
  await failOnce();
  await failOnce();
  reachable.push(jfk, ber);
  expect(await failOnce()).toEqual(['jfk', undefined]);
  expect(await failOnce()).toEqual(['ber', undefined]);
});

test('a region that can be reached fails with the second attempt in a row', async () => {
  const { route, codes } = startRoute({ mayChange: true, reachable: [jfk, sin] });
  await expect(route.connect(never)).rejects.toThrow();
  await Promise.resolve();
  expect(codes()).toEqual(['jfk', undefined]);
  await expect(route.connect(never)).rejects.toThrow();
  await soon(() => expect(codes()).toEqual(['sin', undefined]));
});

/** Connects to New York, which can be reached but drops each connection, once after each of these times. */
async function connectAndDrop({ route, ingests, pass, searches }: ReturnType<typeof startRoute>, ...lastedMs: number[]) {
  for (const ms of lastedMs) {
    const { publish, end } = openPublisher();
    ingests.set('jfk', publish);
    await route.connect(never);
    expect(route.offer).toBeUndefined();
    pass(ms);
    const before = searches();
    end(lost);
    await soon(() => expect(searches()).toBeGreaterThan(before));
    await new Promise(setImmediate);
  }
}

test('a region that takes the broadcast and soon drops it, twice in a row, fails', async () => {
  const stand = startRoute({ reachable: [jfk, ber] });
  await connectAndDrop(stand, 1_000);
  expect(stand.codes()).toEqual(['jfk', undefined]);
  await connectAndDrop(stand, 1_000);
  expect(stand.codes()).toEqual(['jfk', 'ber']);
  // As connections keep dropping, the offer returns after each, and is logged once.
  await connectAndDrop(stand, 1_000);
  expect(stand.codes()).toEqual(['jfk', 'ber']);
  const closed = { code: 'closed', during: 'sending' };
  expect(stand.told).toEqual(['jfk', 'jfk', failedTo('ber', true, closed), 'jfk']);
  expect(stand.route.takeOffer('ber')).toBe(true);
});

test('a connection that has lasted ends an offer, and its loss is a new problem', async () => {
  const stand = startRoute({ reachable: [jfk, ber] });
  await connectAndDrop(stand, 1_000, 1_000);
  expect(stand.codes()).toEqual(['jfk', 'ber']);
  await connectAndDrop(stand, 10_001);
  expect(stand.codes()).toEqual(['jfk', undefined]);
  await connectAndDrop(stand, 1_000);
  expect(stand.codes()).toEqual(['jfk', undefined]);
});

test.each<[string, (route: RegionRoute<RouteRegion>) => unknown, unknown[]]>([
  ['is back', (route) => route.connect(never), ['jfk', undefined]],
  ['was left for another', (route) => route.takeOffer('ber'), ['ber', undefined]],
  ['was the last of a broadcast that has ended', (route) => route.close(), ['jfk', 'ber']],
])('a region that %s while the others are measured does not fail then', async (_how, happen, codesThen) => {
  const measured = Promise.withResolvers<void>();
  let measurements = 0;
  let mayChange = false;
  const { route, told, ingests, searches, codes } = startRoute({
    mayChange: () => mayChange,
    untilMeasured: async () => {
      measurements += 1;
      if (measurements === 2) await measured.promise;
    },
  });
  await expect(route.connect(never)).rejects.toThrow();
  await soon(() => expect(codes()).toEqual(['jfk', 'ber']));
  await expect(route.connect(never)).rejects.toThrow();
  await soon(() => expect(searches()).toBe(2));
  ingests.set('jfk', openPublisher().publish);
  await happen(route);
  const before = [...told];
  mayChange = true;
  measured.resolve();
  await new Promise(setImmediate);
  expect([codes(), told]).toEqual([codesThen, before]);
});

test('a region that the broadcast has changed to fails only with its own second attempt', async () => {
  const { route, searches, codes } = startRoute({ reachable: [jfk, ber, sin] });
  for (const _attempt of [1, 2]) await expect(route.connect(never)).rejects.toThrow();
  await soon(() => expect(codes()).toEqual(['jfk', 'ber']));
  route.takeOffer('ber');
  const before = searches();
  await expect(route.connect(never)).rejects.toThrow();
  await soon(() => expect(searches()).toBe(before + 1));
  await new Promise(setImmediate);
  expect(codes()).toEqual(['ber', undefined]);
  await expect(route.connect(never)).rejects.toThrow();
  await soon(() => expect(codes()).toEqual(['ber', 'jfk']));
});

test('an offer is reported again once the short connection that hid it is lost', async () => {
  const { route, changes, ingests, codes } = startRoute();
  await expect(route.connect(never)).rejects.toThrow();
  await soon(() => expect(codes()).toEqual(['jfk', 'ber']));
  const { publish, end } = openPublisher();
  ingests.set('jfk', publish);
  await route.connect(never);
  end(lost);
  await soon(() => expect(codes()).toEqual(['jfk', 'ber']));
  expect(changes).toEqual([
    ['jfk', undefined],
    ['jfk', 'ber'],
    ['jfk', undefined],
    ['jfk', 'ber'],
  ]);
});

test('an offer does not come back when a connected broadcast is stopped', async () => {
  const stand = startRoute({ reachable: [jfk, ber] });
  await connectAndDrop(stand, 1_000, 1_000);
  const { publish, end } = openPublisher();
  stand.ingests.set('jfk', publish);
  await stand.route.connect(never);
  end({ kind: 'closed-by-us' });
  await new Promise(setImmediate);
  expect(stand.codes()).toEqual(['jfk', undefined]);
});

test('a broadcast that returns to a region because another refused it is not offered that region', async () => {
  const reachable = [ber];
  const { route, ingests, codes } = startRoute({ reachable });
  const first = openPublisher();
  ingests.set('jfk', first.publish);
  await route.connect(never);
  first.end(lost);
  await soon(() => expect(codes()).toEqual(['jfk', 'ber']));
  route.takeOffer('ber');
  reachable.splice(0, 1, jfk);
  await expect(route.connect(never)).rejects.toMatchObject({ failure: refusedConnection });
  await soon(() => expect(codes()).toEqual(['ber', 'jfk']));
  ingests.set('ber', refuse);
  await expect(route.connect(never)).rejects.toMatchObject({ failure: { code: 'key-refused' } });
  expect(codes()).toEqual(['jfk', undefined]);
});

test('a change ends an attempt that hangs, and the same call continues in the new region', async () => {
  const { route, told, ingests, codes } = startRoute({ mayChange: true });
  const first = openPublisher();
  ingests.set('jfk', first.publish);
  await route.connect(never);
  ingests.set('jfk', (signal) => new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason))));
  const { publisher, publish } = openPublisher();
  ingests.set('ber', publish);
  first.end(lost);
  expect(await route.connect(never)).toBe(publisher);
  expect(codes()).toEqual(['ber', undefined]);
  expect(told.filter((each) => typeof each === 'string')).toEqual(['jfk', 'jfk', 'ber']);
});

test('a connection that opens in a region just as the broadcast leaves it is closed, and not used', async () => {
  const { route, ingests, codes } = startRoute();
  await expect(route.connect(never)).rejects.toThrow();
  await soon(() => expect(codes()).toEqual(['jfk', 'ber']));
  const [late, next] = [openPublisher(), openPublisher()];
  const asked = Promise.withResolvers<void>();
  const opened = Promise.withResolvers<MediaPublisher>();
  ingests.set('jfk', () => {
    asked.resolve();
    return opened.promise;
  });
  ingests.set('ber', next.publish);
  const connected = route.connect(never);
  await asked.promise;
  route.takeOffer('ber');
  const closed = vi.spyOn(late.publisher, 'close');
  opened.resolve(late.publisher);
  expect(await connected).toBe(next.publisher);
  expect([closed.mock.calls.length, codes()]).toEqual([1, ['ber', undefined]]);
});

test('a region that refuses after a change is left for good, and its refusal does not end the broadcast', async () => {
  const { route, told, ingests, codes } = startRoute({ mayChange: true });
  const first = openPublisher();
  ingests.set('jfk', first.publish);
  await route.connect(never);
  ingests.set('jfk', unreachable);
  ingests.set('ber', refuse);
  first.end(lost);
  await soon(() => expect(codes()).toEqual(['ber', undefined]));
  await expect(route.connect(never)).rejects.toMatchObject({ kind: 'lost', failure: { code: 'key-refused' } });
  // Singapore is the next one.
  await soon(() => expect(codes()).toEqual(['sin', undefined]));
  expect(told).toContainEqual({
    code: 'region-refused',
    region: 'ber',
    back: 'jfk',
    failure: { code: 'key-refused', says: undefined },
  });
});

test('a refusal in the first region ends the broadcast, and nothing else is tried', async () => {
  const { route, told, ingests, codes } = startRoute({ mayChange: true });
  ingests.set('jfk', refuse);
  await expect(route.connect(never)).rejects.toMatchObject({ kind: 'refused' });
  expect([told, codes()]).toEqual([['jfk'], ['jfk', undefined]]);
});

const unknown = { code: 'stream-unknown', region: 'jfk', says: undefined } as const;
const notThere = () => Promise.reject(new PublishError('refused', unknown));

test('a broadcast whose first region does not have the stream begins in the one that gave its key, by the same call', async () => {
  const { route, told, ingests, codes } = startRoute({ mayChange: true, findIssuer: async () => sin });
  ingests.set('jfk', notThere);
  const { publisher, publish, end } = openPublisher();
  ingests.set('sin', publish);
  expect(await route.connect(never)).toBe(publisher);
  expect(codes()).toEqual(['sin', undefined]);
  expect(told).toEqual(['jfk', { code: 'region-refused', region: 'jfk', back: 'sin', failure: unknown }, 'sin']);
  // From now on this is the broadcast's home.
  end(lost);
  ingests.set('sin', refuse);
  await expect(route.connect(never)).rejects.toMatchObject({ kind: 'refused', failure: { code: 'key-refused' } });
});

test('an offer that is taken while the region that gave the key is looked for counts, even if that is unknown', async () => {
  const asked = Promise.withResolvers<void>();
  const issuer = Promise.withResolvers<RouteRegion | undefined>();
  const { route, told, ingests, codes } = startRoute({
    findIssuer: () => {
      asked.resolve();
      return issuer.promise;
    },
  });
  await expect(route.connect(never)).rejects.toThrow();
  await soon(() => expect(codes()).toEqual(['jfk', 'ber']));
  ingests.set('jfk', notThere);
  const { publisher, publish } = openPublisher();
  ingests.set('ber', publish);
  const connected = route.connect(never);
  await asked.promise;
  expect(route.takeOffer('ber')).toBe(true);
  issuer.resolve(undefined);
  expect(await connected).toBe(publisher);
  expect(codes()).toEqual(['ber', undefined]);
  expect(told.slice(-2)).toEqual([{ code: 'region-changed', from: 'jfk', to: 'ber', isAutomatic: false }, 'ber']);
});

test('the region that gave the key may refuse it, too: that ends the broadcast', async () => {
  const { route, ingests, codes } = startRoute({ mayChange: true, findIssuer: async () => sin });
  ingests.set('jfk', notThere);
  ingests.set('sin', refuse);
  await expect(route.connect(never)).rejects.toMatchObject({ kind: 'refused', failure: { code: 'key-refused' } });
  expect(codes()).toEqual(['sin', undefined]);
});

test('a region without the stream is not offered while the one that gave the key cannot be reached', async () => {
  const { route, ingests, codes } = startRoute({ reachable: [jfk, ber], findIssuer: async () => sin });
  ingests.set('jfk', notThere);
  await expect(route.connect(never)).rejects.toMatchObject({ failure: refusedConnection });
  await soon(() => expect(codes()).toEqual(['sin', 'ber']));
});

test.each<[string, RouteRegion | undefined]>([
  ['is unknown', undefined],
  ['is the same', jfk],
])('a region without the stream ends the broadcast if the one that gave the key %s', async (_, issuer) => {
  const { route, told, ingests } = startRoute({ mayChange: true, findIssuer: async () => issuer });
  ingests.set('jfk', notThere);
  await expect(route.connect(never)).rejects.toMatchObject({ kind: 'refused', failure: unknown });
  expect(told).toEqual(['jfk']);
});

test('a region that took the broadcast and then has no such stream is not left for another', async () => {
  const { route, ingests } = startRoute({ mayChange: true, findIssuer: async () => sin });
  const first = openPublisher();
  ingests.set('jfk', first.publish);
  await route.connect(never);
  ingests.set('jfk', notThere);
  await expect(route.connect(never)).rejects.toMatchObject({ kind: 'refused', failure: unknown });
});

test('a broadcast that never began tries the next region if one refuses it after a change', async () => {
  const { route, told, ingests, codes } = startRoute({ mayChange: true });
  ingests.set('ber', refuse);
  const { publisher, publish } = openPublisher();
  ingests.set('sin', publish);
  await expect(route.connect(never)).rejects.toMatchObject({ failure: refusedConnection });
  await soon(() => expect(codes()).toEqual(['ber', undefined]));
  await expect(route.connect(never)).rejects.toMatchObject({ kind: 'lost', failure: { code: 'key-refused' } });
  await soon(() => expect(codes()).toEqual(['sin', undefined]));
  expect(await route.connect(never)).toBe(publisher);
  const keyRefused = { code: 'key-refused', says: undefined } as const;
  expect(told).toEqual([
    'jfk',
    failedTo('ber', false),
    { code: 'region-changed', from: 'jfk', to: 'ber', isAutomatic: true },
    'retry',
    'ber',
    { code: 'region-refused', region: 'ber', back: 'jfk', failure: keyRefused },
    failedTo('sin', false, keyRefused),
    { code: 'region-changed', from: 'jfk', to: 'sin', isAutomatic: true },
    'retry',
    'sin',
  ]);
});

test('after a change, the first region is tried again as long as others refuse', async () => {
  const { route, ingests, codes } = startRoute({ mayChange: true, reachable: [ber] });
  ingests.set('ber', refuse);
  await expect(route.connect(never)).rejects.toMatchObject({ failure: refusedConnection });
  await soon(() => expect(codes()).toEqual(['ber', undefined]));
  await expect(route.connect(never)).rejects.toMatchObject({ kind: 'lost' });
  expect(codes()).toEqual(['jfk', undefined]);
  await expect(route.connect(never)).rejects.toMatchObject({ failure: refusedConnection });
  const { publisher, publish } = openPublisher();
  ingests.set('jfk', publish);
  expect(await route.connect(never)).toBe(publisher);
});

test.each([{ mayChange: true }, { mayChange: false }])(
  'a broadcast that never began ends when every region has refused it: %o',
  async ({ mayChange }) => {
    const reachable = [ber];
    const { route, ingests, codes } = startRoute({ mayChange, reachable });
    for (const code of ['ber', 'sin']) ingests.set(code, refuse);
    const changeTo = async (code: string) => {
      if (!mayChange) {
        await soon(() => expect(codes()).toEqual(['jfk', code]));
        route.takeOffer(code);
      }
      await soon(() => expect(codes()).toEqual([code, undefined]));
    };
    await expect(route.connect(never)).rejects.toMatchObject({ failure: refusedConnection });
    await changeTo('ber');
    await expect(route.connect(never)).rejects.toMatchObject({ kind: 'lost' });
    ingests.set('jfk', refuse);
    // Singapore can't be reached yet.
    for (let attempt = 0; attempt < 2; attempt += 1) await expect(route.connect(never)).rejects.toMatchObject({ kind: 'lost' });
    expect(codes()).toEqual(['jfk', undefined]);
    reachable.push(sin);
    await expect(route.connect(never)).rejects.toMatchObject({ kind: 'lost' });
    await changeTo('sin');
    await expect(route.connect(never)).rejects.toMatchObject({ kind: 'refused', failure: { code: 'key-refused' } });
  },
);

test('a region that takes the broadcast after a refusal is offered again', async () => {
  const reachable = [ber];
  const { route, ingests, codes } = startRoute({ mayChange: true, reachable });
  const failAndGoTo = async (to: string) => {
    await expect(route.connect(never)).rejects.toThrow();
    await soon(() => expect(codes()).toEqual([to, undefined]));
  };
  await failAndGoTo('ber');
  ingests.set('ber', refuse);
  await failAndGoTo('jfk');
  // The region is starting up.
  ingests.set('jfk', refuse);
  await failAndGoTo('jfk');
  const taken = openPublisher();
  ingests.set('jfk', taken.publish);
  await route.connect(never);
  reachable.splice(0, 1, sin);
  taken.end(lost);
  await soon(() => expect(codes()).toEqual(['sin', undefined]));
  reachable.splice(0, 1, jfk);
  await failAndGoTo('jfk');
});

test('a refusal by the region that had the broadcast ends it, though it was left meanwhile', async () => {
  const reachable = [{ ...jfk }, ber];
  const { route, ingests, codes } = startRoute({ mayChange: true, reachable });
  const first = openPublisher();
  ingests.set('jfk', first.publish);
  await route.connect(never);
  reachable.shift();
  ingests.set('jfk', unreachable);
  first.end(lost);
  await soon(() => expect(codes()).toEqual(['ber', undefined]));
  // Berlin fails, too, and New York is back.
  reachable.splice(0, 1, { ...jfk });
  await expect(route.connect(never)).rejects.toMatchObject({ failure: refusedConnection });
  await soon(() => expect(codes()).toEqual(['jfk', undefined]));
  ingests.set('jfk', refuse);
  await expect(route.connect(never)).rejects.toMatchObject({ kind: 'refused' });
});

test('without another region nothing is offered, and after the end nothing is looked for', async () => {
  const alone = startRoute({ mayChange: true, reachable: [] });
  await expect(alone.route.connect(never)).rejects.toThrow();
  const ended = startRoute({ mayChange: true });
  ended.route.close();
  await expect(ended.route.connect(never)).rejects.toThrow();
  await new Promise(setImmediate);
  expect([alone.told, alone.codes(), ended.told, ended.codes()]).toEqual([
    ['jfk'],
    ['jfk', undefined],
    [],
    [undefined, undefined],
  ]);
});

test('a region whose URLs have changed is tried at its new ones', async () => {
  let listed = [jfk, ber];
  const changes: unknown[] = [];
  const tried: string[] = [];
  let outcome: () => Promise<MediaPublisher> = unreachable;
  const route = new RegionRoute({
    choose: async () => jfk,
    list: () => listed,
    findNow: ({ code }) => listed.find((region) => region.code === code),
    findReachable: async () => [jfk],
    publish: ({ ingest }) => {
      tried.push(ingest);
      return outcome();
    },
    mayChange: () => false,
    clock: { monotonicMs: () => 0 },
    retry: () => {},
    onChange: () => changes.push(route.region?.playback),
    onEvent: () => {},
  });
  await expect(route.connect(never)).rejects.toThrow();
  listed = [{ ...jfk, ingest: 'rtmp://jfk:1945/live', playback: 'https://jfk:444/hls' }, ber];
  await expect(route.connect(never)).rejects.toThrow();
  // A region that isn't listed any more stays as it was.
  listed = [ber];
  outcome = openPublisher().publish;
  await route.connect(never);
  expect(tried).toEqual(['rtmp://jfk/live', 'rtmp://jfk:1945/live', 'rtmp://jfk:1945/live']);
  expect(changes).toEqual(['https://jfk/hls', 'https://jfk:444/hls', 'https://jfk:444/hls']);
});

test('aborting ends an attempt with its reason', async () => {
  const { route, ingests } = startRoute();
  ingests.set('jfk', (signal) => new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason))));
  const abort = new AbortController();
  const connecting = route.connect(abort.signal);
  await Promise.resolve();
  abort.abort(new Error('stopped'));
  await expect(connecting).rejects.toThrow('stopped');
});
