import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { StreamLive } from '../../src/shared/model/views.ts';
import { describeStage } from '../../src/shared/words/stage-words.ts';
import { describeVerdict } from '../../src/shared/words/verdict-words.ts';
import {
  type BroadcastRecord,
  type FaultyBroadcastOptions,
  isReconnected,
  isRetrying,
  isUpload,
  overTls,
  startFaultStage,
} from '../support/fault-stage.ts';
import { withoutNumbers } from '../support/owner-reading.ts';

let stage: Awaited<ReturnType<typeof startFaultStage>>;

beforeAll(async () => {
  stage = await startFaultStage();
});
afterAll(async () => {
  // No process, socket or timer outlives its broadcast.
  expect(await stage.close()).toEqual([]);
});

// A busy computer may have left out frames.
const unbroken = { broken: [], isContinued: expect.any(Boolean), early: 0 };
const continued = { ...unbroken, isContinued: true };

const onAir = 'On air after n s.';
const stopped = 'You stopped the broadcast in Tallylight.';
const wasReset = 'Lost the connection to the ingest (ECONNRESET).';
const refused = 'address refused the connection. Check the address and the port, and that the ingest is running.';

/**
 * What the owner reads of an upload that media waits for: Health's stage and, unless the computer is too busy, its verdict.
 */
function expectWaiting({ stages, verdict }: StreamLive, title: string) {
  const upload = stages.find(({ stage }) => stage === 'upload');
  expect(upload && withoutNumbers(describeStage(upload))).toMatch(/^queue n ms( · n dropped)?$/);
  const words = verdict && describeVerdict(verdict, 0);
  const busy = ["This computer can't encode in real time", 'Frames are missing', 'Media arrives too slowly'];
  expect(words?.title).toBeOneOf([title, ...busy]);
  if (words?.title === title) expect(withoutNumbers(words.sentence ?? '')).toMatch(waiting);
}
/** On a busy computer the bitrate may be at its lowest by then. */
const waiting =
  /^n ms of media is waiting to be sent(, and n frames? (was|were) dropped in the last minute)?\. (The bitrate is being lowered to fit; if this continues, s|The bitrate is already as low as it gets\. S)top, choose a lower quality beside the source \(Custom goes lowest\), and go live again\.$/;

/** Whether media goes out as it comes. */
const isQueueShort = ({ oneClick }: StreamLive) => oneClick.kind === 'running' && oneClick.queueMs < 200;

/** What a broadcast leaves that lost its ingest for this reason, and couldn't reconnect for these. */
const reconnected = (why: string, ...failures: string[]): BroadcastRecord => ({
  log: [onAir, `Lost the ingest: ${why}`, stopped].sort(),
  failures,
  playlist: continued,
});

test.concurrent('server gone for 30 s: tried again until it is back', async () => {
  await using broadcast = await stage.goOnAir({ name: 'Gone', host: '127.0.0.11' });
  broadcast.proxy.refuse();
  broadcast.proxy.reset();
  await sleep(30_000);
  expect(await broadcast.until(() => true)).toMatchObject({
    stream: { air: { kind: 'reconnecting' } },
    oneClick: { kind: 'retrying', failure: { code: 'connection-refused' } },
    verdict: { code: 'ingest-retry', hasBeenLive: true },
  });
  await broadcast.proxy.accept();
  await stage.recover('server gone for 30 s', broadcast, { isBack: isReconnected });
  expect(await broadcast.stop()).toEqual(reconnected(wasReset, refused));
});

test.concurrent('reset: reconnected at once', async () => {
  await using broadcast = await stage.goOnAir({ name: 'Reset' });
  broadcast.proxy.reset();
  await stage.recover('reset', broadcast, { isBack: isReconnected });
  expect(await broadcast.stop()).toEqual(reconnected(wasReset));
});

test.concurrent.each<[string, Partial<FaultyBroadcastOptions>]>([
  ['half-open', {}],
  ['half-open over RTMPS', overTls],
])('%s: noticed by the acknowledgements that stop', async (fault, options) => {
  await using broadcast = await stage.goOnAir({ name: fault, ...options });
  // The ingest acknowledges what it gets.
  await broadcast.until(({ oneClick }) => oneClick.kind === 'running' && oneClick.inFlightBytes !== undefined);
  const since = performance.now();
  broadcast.proxy.stall();
  // What the system has taken waits, too.
  await broadcast.until(isUpload('bad'));
  await broadcast.until(({ verdict }) => verdict?.code === 'nothing-arrives' && verdict.isOwn);
  await broadcast.until(isRetrying('takes-no-data'));
  const noticedSeconds = (performance.now() - since) / 1000;
  stage.record(`${fault}, until it is noticed`, noticedSeconds);
  expect(noticedSeconds).toBeLessThan(20);
  broadcast.proxy.resume();
  await stage.recover(fault, broadcast, { isBack: isReconnected });
  expect(await broadcast.stop()).toEqual(reconnected('The ingest has accepted no data for n s.'));
});

test.concurrent('throttled to a quarter and back: reported as too slow, and not disconnected', async () => {
  await using broadcast = await stage.goOnAir({ name: 'Throttled' });
  broadcast.proxy.throttle(215_000);
  expectWaiting(await broadcast.until(isUpload('bad')), 'Upload is too slow');
  await sleep(3_000);
  broadcast.proxy.throttle(undefined);
  await stage.recover('throttled to a quarter', broadcast);
  await broadcast.until(isQueueShort);
  expect(await broadcast.stop()).toEqual({ log: [onAir, stopped], failures: [], playlist: unbroken });
});

test.concurrent('200 ms of delay each way: not disconnected, and reconnected', async () => {
  await using broadcast = await stage.goOnAir({ name: '200 ms' });
  broadcast.proxy.delay(200);
  // Not for what was dropped before, if the computer is busy.
  const told = await broadcast.until((live) => isUpload('warn')(live) && !isQueueShort(live));
  expectWaiting(told, 'Upload is barely keeping up');
  await stage.recover('200 ms of delay', broadcast);
  // It turns out to be the connection's own delay, and no queue.
  await broadcast.until(isQueueShort);
  expect(broadcast.proxy.connectionCount).toBe(1);
  broadcast.proxy.reset();
  await stage.recover('200 ms of delay, then a reset', broadcast, { isBack: isReconnected });
  expect(await broadcast.stop()).toEqual(reconnected(wasReset));
});

test.concurrent('2 s of delay each way: not disconnected, and reconnected', async () => {
  await using broadcast = await stage.goOnAir({ name: '2 s' });
  broadcast.proxy.delay(2_000);
  expectWaiting(await broadcast.until(isUpload('bad')), 'Upload is too slow');
  await stage.recover('2 s of delay', broadcast);
  // It turns out to be the connection's own delay, and no queue. What was dropped before that is told for a minute.
  await broadcast.until(isQueueShort);
  // Longer than a connection without acknowledgements is kept.
  await sleep(6_000);
  expect(await broadcast.until(() => true)).toMatchObject({ oneClick: { kind: 'running' } });
  expect(broadcast.proxy.connectionCount).toBe(1);
  broadcast.proxy.reset();
  // Each of four round trips takes 4 s.
  await stage.recover('2 s of delay, then a reset', broadcast, { isBack: isReconnected, withinSeconds: 50 });
  expect(await broadcast.stop()).toEqual(reconnected(wasReset));
});

test.concurrent('refused at the start: tried again, and said not to be connected yet', async () => {
  await using broadcast = await stage.open({ name: 'Refused', host: '127.0.0.12' });
  broadcast.proxy.refuse();
  await broadcast.goLive();
  await broadcast.until(isRetrying('connection-refused', 2));
  await broadcast.until(({ verdict }) => verdict?.code === 'ingest-retry' && !verdict.hasBeenLive);
  await broadcast.proxy.accept();
  await stage.recover('refused', broadcast);
  expect(await broadcast.stop()).toEqual({
    log: [`Can't connect to the ingest yet: ${refused}`, onAir, stopped].sort(),
    failures: [refused],
    playlist: unbroken,
  });
});

test.concurrent('DNS failure: tried again until the name is found', async () => {
  let isFound = true;
  await using broadcast = await stage.goOnAir({
    name: 'DNS',
    publish: {
      host: 'live.example.com',
      lookup: (_name, _options, callback) => {
        if (isFound) callback(null, [{ address: '127.0.0.1', family: 4 }]);
        else callback(Object.assign(new Error('getaddrinfo ENOTFOUND'), { code: 'ENOTFOUND' }), []);
      },
    },
  });
  isFound = false;
  broadcast.proxy.reset();
  await broadcast.until(isRetrying('lookup-failed', 2));
  isFound = true;
  await stage.recover('DNS failure', broadcast, { isBack: isReconnected });
  expect(await broadcast.stop()).toEqual(
    reconnected(wasReset, "Can't look up live.example.com. Check this computer's internet connection."),
  );
});

test.concurrent('TLS failure: nothing is sent to a certificate that has expired, until it is renewed', async () => {
  await using broadcast = await stage.goOnAir({ name: 'TLS', ...overTls });
  broadcast.proxy.certificate = 'expired';
  broadcast.proxy.reset();
  await broadcast.until(isRetrying('tls', 2));
  broadcast.proxy.certificate = 'ingest';
  await stage.recover('TLS failure', broadcast, { isBack: isReconnected });
  expect(await broadcast.stop()).toEqual(
    reconnected(
      wasReset,
      "The certificate of localhost has expired. Check this computer's clock; if it's right, only the ingest's operator can help.",
    ),
  );
});
