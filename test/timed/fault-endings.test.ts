import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  type FaultyBroadcast,
  type FaultyBroadcastOptions,
  isReconnected,
  isRetrying,
  isUpload,
  overTls,
  startFaultStage,
} from '../support/fault-stage.ts';

const addresses = ['192.0.2.1'];
let stage: Awaited<ReturnType<typeof startFaultStage>>;

beforeAll(async () => {
  stage = await startFaultStage({ readAddresses: () => [...addresses] });
});
afterAll(async () => {
  // No process, socket or timer outlives its broadcast.
  expect(await stage.close()).toEqual([]);
});

test.concurrent('the network returns: reconnected at once, long before the next attempt was due', async () => {
  await using broadcast = await stage.goOnAir({ name: 'Network', host: '127.0.0.13' });
  broadcast.proxy.refuse();
  broadcast.proxy.reset();
  // The pause is over 11 s now.
  const { oneClick } = await broadcast.until(isRetrying('connection-refused', 8));
  await broadcast.proxy.accept();
  addresses.push('198.51.100.7');
  await broadcast.until((live) => live.oneClick.kind === 'running');
  expect(Date.now()).toBeLessThan(oneClick.kind === 'retrying' ? oneClick.retryAt : 0);
  await broadcast.until(isReconnected);
  await broadcast.stop();
});

/** Lets a fault begin, and waits until its owner reads of it. */
type Begin = (broadcast: FaultyBroadcast) => Promise<unknown>;

const halfOpen: Begin = async ({ proxy, until }) => {
  proxy.stall();
  await until(isUpload('bad'));
};

/** A lookup that finds the name only once. */
function findOnce(): NonNullable<FaultyBroadcastOptions['publish']> {
  let lookups = 0;
  return {
    host: 'live.example.com',
    lookup: (_name, _options, callback) => {
      lookups += 1;
      if (lookups === 1) callback(null, [{ address: '127.0.0.1', family: 4 }]);
      else callback(Object.assign(new Error('getaddrinfo ENOTFOUND'), { code: 'ENOTFOUND' }), []);
    },
  };
}

test.concurrent.each<[string, Partial<FaultyBroadcastOptions>, Begin]>([
  ['a connection that was just reset', {}, async ({ proxy }) => proxy.reset()],
  ['a half-open connection', {}, halfOpen],
  ['a half-open connection over RTMPS', overTls, halfOpen],
  [
    'a throttled upload',
    {},
    async ({ proxy, until }) => {
      proxy.throttle(215_000);
      await until(isUpload('bad'));
    },
  ],
  ['200 ms of delay', {}, async ({ proxy }) => proxy.delay(200)],
  [
    '2 s of delay',
    {},
    async ({ proxy, until }) => {
      proxy.delay(2_000);
      await until(isUpload('bad'));
    },
  ],
  [
    'a server that is gone',
    { host: '127.0.0.14' },
    async ({ proxy, until }) => {
      proxy.refuse();
      proxy.reset();
      await until(isRetrying('connection-refused', 2));
    },
  ],
  [
    'a name that is not found',
    { publish: findOnce() },
    async ({ proxy, until }) => {
      proxy.reset();
      await until(isRetrying('lookup-failed', 2));
    },
  ],
  [
    'a certificate that has expired',
    overTls,
    async ({ proxy, until }) => {
      proxy.certificate = 'expired';
      proxy.reset();
      await until(isRetrying('tls', 2));
    },
  ],
])('Stop takes less than 5 s with %s, and ends the playlist', async (name, options, begin) => {
  await using broadcast = await stage.goOnAir({ name, ...options });
  await begin(broadcast);
  expect(await broadcast.stop()).toMatchObject({ playlist: { broken: [], early: 0 } });
});

test.concurrent('Stop takes less than 5 s before the first connection', async () => {
  await using broadcast = await stage.open({ name: 'Refused', host: '127.0.0.15' });
  broadcast.proxy.refuse();
  await broadcast.goLive();
  await broadcast.until(isRetrying('connection-refused', 2));
  await broadcast.stop();
  expect(await broadcast.until(({ oneClick }) => oneClick.kind === 'idle')).toMatchObject({
    stream: { air: { kind: 'off-air' } },
  });
});
