import { cp, rm } from 'node:fs/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { testSource } from '../../src/shared/model/source.ts';
import type { StreamLive } from '../../src/shared/model/views.ts';
import { describeLogEvent } from '../../src/shared/words/log-words.ts';
import { type FaultProxy, startFaultProxy } from '../support/fault-proxy.ts';
import { findMeters } from '../support/find-processes.ts';
import { createFixedSecretStore } from '../support/fixed-secret-store.ts';
import { lightEncode } from '../support/light-encode.ts';
import { makeTestFolder } from '../support/store-stand.ts';
import { startTestService } from '../support/test-service.ts';
import { waitUntil } from '../support/wait-until.ts';

type TestService = Awaited<ReturnType<typeof startTestService>>;

/** Berlin is this computer; New York began as a copy of it, so that it has its streams, and is behind a network that can fail. */
let berlin: TestService;
let newYork: TestService;
let network: FaultProxy;
/** A stream of both computers for each test. */
let offered: string;
let taken: string;
let kept: string;
const folders = [makeTestFolder(), makeTestFolder()] as const;

beforeAll(async () => {
  const [{ path: folder }, { path: copy }] = folders;
  const secrets = createFixedSecretStore();
  const first = await startTestService({ dataFolder: folder, secrets });
  await first.app.settings.update({ regionCode: 'ber' });
  ({ id: offered } = await first.app.stream.create({ name: 'Offered' }));
  ({ id: taken } = await first.app.stream.create({ name: 'Taken' }));
  ({ id: kept } = await first.app.stream.create({ name: 'Kept' }));
  await first.close();
  await cp(folder, copy, { recursive: true });
  newYork = await startTestService({ dataFolder: copy, secrets, awaitEncoders: false });
  await newYork.app.settings.update({ regionCode: 'jfk' });
  network = await startFaultProxy(newYork.urls.rtmpPort, { host: '127.0.0.7' });
  berlin = await startTestService({ dataFolder: folder, secrets, regionPatienceMs: 0 });
  const { playbackBaseUrl } = newYork.urls;
  const urls = {
    ingest: `rtmp://127.0.0.7:${network.port}/live`,
    playback: playbackBaseUrl,
    base: new URL(playbackBaseUrl).origin,
  };
  await berlin.app.settings.update({ regions: [{ code: 'jfk', urls }], regionChoice: 'jfk' });
});
afterAll(async () => {
  await berlin.close();
  await network[Symbol.asyncDispose]();
  await newYork.close();
  for (const { path } of folders) await rm(path, { recursive: true });
});

const see = async (streamId: string, is: (live: StreamLive) => boolean, { app } = berlin) =>
  waitUntil(await app.stream.watch({ streamId }), is);
const isOnAir = ({ stream: { air } }: StreamLive) => air.kind === 'on-air';
const isIn = (code: string) => (live: StreamLive) => isOnAir(live) && live.region?.code === code;
/** On this computer as ever. */
const isHere = (live: StreamLive) => isOnAir(live) && live.region === undefined && live.stream.isActive;

/** New York's computer is gone: its connections are reset, and new ones refused. */
function cutOff() {
  network.refuse();
  network.reset();
}

/** What the log says of regions, the oldest first. */
const readRegionLog = ({ log }: StreamLive) =>
  log
    .filter(({ event }) => event.code.startsWith('region-'))
    .map(({ event }) => describeLogEvent(event, 0))
    .reverse();

async function isPlayable({ service }: TestService, { stream }: StreamLive) {
  return (await fetch(`${service.info().playbackBaseUrl}/${stream.playbackId}/index.m3u8`)).ok;
}

test('a broadcast goes to the chosen region, and to the next nearest when that fails: ingest and playback together', async () => {
  await berlin.app.broadcast.goLive({ streamId: offered, source: testSource, encode: lightEncode });
  const there = await see(
    offered,
    (live) => isIn('jfk')(live) && live.oneClick.kind === 'running' && live.oneClick.encodeFps !== undefined,
  );
  expect(there).toMatchObject({
    stream: { isActive: false },
    region: { code: 'jfk', isOwn: false, playback: newYork.urls.playbackBaseUrl },
  });
  expect(there.stages.map(({ stage }) => stage)).toEqual(['capture', 'encode', 'upload']);
  expect(there.session).toBeUndefined();
  const hear = async () =>
    waitUntil(await berlin.app.stream.watchAudio({ streamId: offered }), ({ meter }) => meter?.kind === 'measured');
  await hear();
  expect(await see(offered, isOnAir, newYork)).toMatchObject({ stream: { isActive: true } });
  expect([await isPlayable(newYork, there), await isPlayable(berlin, there)]).toEqual([true, false]);

  cutOff();
  const withOffer = await see(offered, ({ region }) => region?.offer !== undefined);
  expect(withOffer).toMatchObject({
    region: { code: 'jfk', offer: 'ber' },
    oneClick: { kind: 'retrying' },
    stream: { air: { kind: 'reconnecting' } },
  });
  await berlin.app.broadcast.changeRegion({ streamId: offered, region: 'ber' });
  const here = await see(offered, isHere);
  expect(readRegionLog(here)).toEqual([
    expect.stringMatching(/^The region JFK failed\. .+ You can continue in BER, the next nearest\.$/),
    'You let the broadcast continue in BER instead of JFK. Viewers need the playback URL of BER.',
  ]);
  expect(await isPlayable(berlin, here)).toBe(true);
  // One meter for each: what is sent elsewhere is metered no more, and what arrives here is.
  await hear();
  await expect.poll(() => findMeters(process.pid)).toHaveLength(1);
  await berlin.app.broadcast.stop({ streamId: offered });
  await see(offered, ({ oneClick, stream: { air } }) => oneClick.kind === 'idle' && air.kind === 'off-air');
});

test('with leave, the region is changed by itself', async () => {
  await network.accept();
  await berlin.app.settings.update({ changesRegion: true });
  await berlin.app.broadcast.goLive({ streamId: taken, source: testSource, encode: lightEncode });
  await see(taken, isIn('jfk'));
  cutOff();
  const airs: StreamLive['stream']['air'][] = [];
  const here = await see(taken, (live) => {
    airs.push(live.stream.air);
    return isHere(live);
  });
  // Viewers have it, or wait for it.
  expect(airs.filter(({ kind }) => kind !== 'on-air' && kind !== 'reconnecting')).toEqual([]);
  expect(readRegionLog(here).slice(-2)).toEqual([
    expect.stringMatching(/^The region JFK failed\. /),
    'The broadcast continues in BER instead of JFK. Viewers need the playback URL of BER.',
  ]);
  await berlin.app.broadcast.stop({ streamId: taken });
  await see(taken, ({ oneClick }) => oneClick.kind === 'idle');
});

test('a broadcast to another region logs that it is on air, its losses and its end', async () => {
  await network.accept();
  await berlin.app.settings.update({ changesRegion: false });
  await berlin.app.broadcast.goLive({ streamId: kept, source: testSource, encode: lightEncode });
  await see(kept, isIn('jfk'));
  const course = ['on-air', 'ingest-lost', 'back-on-air', 'ended'];
  const codes = ({ log }: StreamLive) =>
    log
      .map(({ event: { code } }) => code)
      .filter((code) => course.includes(code))
      .reverse();
  for (const times of [1, 2]) {
    network.reset();
    await see(kept, (live) => codes(live).filter((code) => code === 'back-on-air').length === times);
  }
  await berlin.app.broadcast.stop({ streamId: kept });
  const ended = await see(kept, (live) => codes(live).includes('ended'));
  expect(codes(ended)).toEqual(['on-air', 'ingest-lost', 'back-on-air', 'ingest-lost', 'back-on-air', 'ended']);
  expect(ended.log.find(({ event }) => event.code === 'ended')).toMatchObject({
    severity: 'good',
    event: { reason: 'stopped' },
  });
});

test('a region without the stream refuses it, in words', async () => {
  await network.accept();
  const { id } = await berlin.app.stream.create({ name: 'Only in Berlin' });
  await berlin.app.broadcast.goLive({ streamId: id, source: testSource, encode: lightEncode });
  const { oneClick } = await see(id, ({ oneClick: { kind } }) => kind === 'failed');
  expect(oneClick).toMatchObject({ kind: 'failed', failure: { code: 'stream-unknown', region: 'jfk' } });
});
