import { cp, rm } from 'node:fs/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { testSource } from '../../src/shared/model/source.ts';
import type { StreamLive } from '../../src/shared/model/views.ts';
import { describeLogEvent } from '../../src/shared/words/log-words.ts';
import { type FaultProxy, startFaultProxy } from '../support/fault-proxy.ts';
import { createFixedSecretStore } from '../support/fixed-secret-store.ts';
import { lightEncode } from '../support/light-encode.ts';
import { makeTestFolder } from '../support/store-stand.ts';
import { startTestService } from '../support/test-service.ts';
import { waitUntil } from '../support/wait-until.ts';

type TestService = Awaited<ReturnType<typeof startTestService>>;

/** Here is this computer. Berlin is a remote service, whose second region, New York, began as a copy of it. */
let here: TestService;
let berlin: TestService;
let newYork: TestService;
let berlinNetwork: FaultProxy;
let newYorkNetwork: FaultProxy;
let serviceId: string;
/** A stream of both regions, and one of Berlin alone, as they are named here. */
let copied: string;
let ofBerlin: string;
const folders = [makeTestFolder(), makeTestFolder()] as const;

const urlsOf = ({ urls }: TestService, host: string, { port }: FaultProxy) => ({
  ingest: `rtmp://${host}:${port}/live`,
  playback: urls.playbackBaseUrl,
  base: new URL(urls.playbackBaseUrl).origin,
});
const toPair = ({ ingest, playback }: { ingest: string; playback: string }) => ({ ingest, playback });
const berlinUrls = () => urlsOf(berlin, '127.0.0.16', berlinNetwork);
const newYorkUrls = () => urlsOf(newYork, '127.0.0.17', newYorkNetwork);
const nameOf = ({ ingest }: { ingest: string }) => new URL(ingest).host;

beforeAll(async () => {
  const [{ path: folder }, { path: copy }] = folders;
  const secrets = createFixedSecretStore();
  const first = await startTestService({ dataFolder: folder, secrets });
  const { id: copiedId } = await first.app.stream.create({ name: 'In both' });
  await first.close();
  await cp(folder, copy, { recursive: true });
  newYork = await startTestService({ dataFolder: copy, secrets, awaitEncoders: false });
  berlin = await startTestService({ dataFolder: folder, secrets, awaitEncoders: false });
  berlinNetwork = await startFaultProxy(berlin.urls.rtmpPort, { host: '127.0.0.16' });
  newYorkNetwork = await startFaultProxy(newYork.urls.rtmpPort, { host: '127.0.0.17' });
  await berlin.app.settings.update({
    regionCode: 'ber',
    regions: [
      { code: 'ber', urls: berlinUrls() },
      { code: 'jfk', urls: newYorkUrls() },
    ],
  });
  // New York is the nearest that can be reached.
  berlinNetwork.refuse();
  here = await startTestService({ regionPatienceMs: 0 });
  ({ id: serviceId } = await here.app.remoteService.add({
    name: 'Berlin',
    baseUrl: berlin.urls.apiBaseUrl,
    apiKey: berlin.secret,
  }));
  copied = `${serviceId}~${copiedId}`;
  ({ id: ofBerlin } = await here.app.stream.create({ name: 'Only in Berlin', serviceId }));
});
afterAll(async () => {
  await here.close();
  await berlinNetwork[Symbol.asyncDispose]();
  await newYorkNetwork[Symbol.asyncDispose]();
  await berlin.close();
  await newYork.close();
  for (const { path } of folders) await rm(path, { recursive: true });
});

const see = async (streamId: string, is: (live: StreamLive) => boolean) =>
  waitUntil(await here.app.stream.watch({ streamId }), is);
const isOnAir = ({ stream: { air } }: StreamLive) => air.kind === 'on-air';
const codesOf = ({ log }: StreamLive) => log.map(({ event: { code } }) => code);

test("a broadcast to another region of a remote service is on air once that region plays it, which the service itself doesn't know", async () => {
  await here.app.broadcast.goLive({ streamId: copied, source: testSource, encode: lightEncode });
  const live = await see(copied, (each) => isOnAir(each) && each.oneClick.kind === 'running');
  expect(live).toMatchObject({
    stream: { isActive: false },
    region: { code: nameOf(newYorkUrls()), isOwn: false, playback: newYork.urls.playbackBaseUrl },
    service: { pair: toPair(newYorkUrls()) },
  });
  // That region's counters and its ingest are unknown here.
  expect([live.session, live.stages.map(({ stage }) => stage)]).toEqual([
    undefined,
    expect.not.arrayContaining(['ingest', 'package']),
  ]);
  const there = newYork.app.stream.watch({ streamId: copied.slice(`${serviceId}~`.length) });
  expect(await waitUntil(await there, isOnAir)).toMatchObject({ stream: { isActive: true } });

  newYorkNetwork.reset();
  const back = await see(copied, (each) => codesOf(each).includes('back-on-air'));
  expect(isOnAir(back)).toBe(true);
  await here.app.broadcast.stop({ streamId: copied });
  const ended = await see(copied, ({ stream: { air }, oneClick }) => air.kind === 'off-air' && oneClick.kind === 'idle');
  expect(codesOf(ended).filter((code) => code === 'on-air' || code === 'ended')).toEqual(['ended', 'on-air']);
});

test("a broadcast that a remote service's nearest region doesn't have the stream for goes to the service's own region", async () => {
  await here.app.broadcast.goLive({ streamId: ofBerlin, source: testSource, encode: lightEncode });
  await see(ofBerlin, (live) => codesOf(live).includes('region-refused'));
  await berlinNetwork.accept();
  const live = await see(ofBerlin, (each) => isOnAir(each) && each.oneClick.kind === 'running');
  expect(live).toMatchObject({ stream: { isActive: true }, service: { pair: toPair(berlinUrls()) } });
  expect(
    live.log.filter(({ event }) => event.code === 'region-refused').map(({ event }) => describeLogEvent(event, 0)),
  ).toEqual([
    `The region ${nameOf(newYorkUrls())} refused the broadcast, which keeps trying in ${nameOf(berlinUrls())}. ` +
      `The region ${nameOf(newYorkUrls())} doesn't have this stream, so it refused the stream key. The regions of this service don't share streams.`,
  ]);
  await here.app.broadcast.stop({ streamId: ofBerlin });
});
