import { expect, test } from 'vitest';
import { openMemorySecretStore } from '../../src/service/secrets/memory-secret-store.ts';
import { testSource } from '../../src/shared/model/source.ts';
import type { StreamLive } from '../../src/shared/model/views.ts';
import { startFaultProxy } from '../support/fault-proxy.ts';
import { lightEncode } from '../support/light-encode.ts';
import { copyProbes } from '../support/probed-ffmpeg.ts';
import { findQuietPort } from '../support/quiet-port.ts';
import { makeTestFolder } from '../support/store-stand.ts';
import { startTestService } from '../support/test-service.ts';
import { waitUntil } from '../support/wait-until.ts';

type TestService = Awaited<ReturnType<typeof startTestService>>;

/** Creates a stream of the remote service `there`, as `here` broadcasts to it. */
async function createStreamThere(here: TestService, there: TestService) {
  const { id: serviceId } = await here.app.remoteService.add({
    name: 'There',
    baseUrl: there.urls.apiBaseUrl,
    apiKey: there.secret,
  });
  const { id: streamId } = await here.app.stream.create({ name: 'Show', serviceId });
  const watch = async (is: (live: StreamLive) => boolean) => waitUntil(await here.app.stream.watch({ streamId }), is);
  return { streamId, watch };
}

/** Whether it is on air, and its service knows. */
const isOnAir = ({ stream, oneClick }: StreamLive) =>
  stream.air.kind === 'on-air' && stream.isActive && oneClick.kind === 'running';

test('a broadcast to a remote service continues in its next nearest region when one fails', async () => {
  await using here = await startTestService({ regionPatienceMs: 0 });
  await using there = await startTestService({ awaitEncoders: false });
  const networks = [
    await startFaultProxy(there.urls.rtmpPort, { host: '127.0.0.7' }),
    await startFaultProxy(there.urls.rtmpPort, { host: '127.0.0.8' }),
  ] as const;
  await using _first = networks[0];
  await using _second = networks[1];
  // Two ways to the same computer, so that both regions have the stream. Names of this computer are different URLs.
  const playback = [`http://127.0.0.1:${there.urls.httpPort}`, `http://localhost:${there.urls.httpPort}`];
  const regions = networks.map(({ port }, index) => {
    const base = playback[index] ?? '';
    const ingest = `rtmp://127.0.0.${7 + index}:${port}/live`;
    return { code: ['jfk', 'ewr'][index] ?? '', urls: { ingest, playback: `${base}/hls`, base } };
  });
  await there.app.settings.update({ regionCode: 'jfk', regions });

  const { streamId, watch } = await createStreamThere(here, there);
  await here.app.broadcast.goLive({ streamId, source: testSource, encode: lightEncode });
  // Until the service calls it active, its region is watched from here, and shown as one that the service may not speak for.
  const live = await watch(isOnAir);
  // Which of them is the nearer one is up to chance.
  const used = regions.findIndex(({ urls }) => urls.ingest === live.service?.pair?.ingest);
  const [from, to] = used === 0 ? [regions[0], regions[1]] : [regions[1], regions[0]];
  expect(live.service?.pair).toEqual({ ingest: from?.urls.ingest, playback: from?.urls.playback });
  expect(live.region).toBeUndefined();

  networks[used]?.refuse();
  networks[used]?.reset();
  const offered = await watch(({ region }) => region !== undefined);
  const nameOf = (region: (typeof regions)[number] | undefined) => new URL(region?.urls.ingest ?? '').host;
  expect(offered.region).toEqual({
    code: nameOf(from),
    isOwn: false,
    ingest: from?.urls.ingest,
    playback: from?.urls.playback,
    offer: nameOf(to),
  });
  await here.app.broadcast.changeRegion({ streamId, region: nameOf(to) });
  const moved = await watch(
    ({ service, oneClick }) => service?.pair?.ingest === to?.urls.ingest && oneClick.kind === 'running',
  );
  expect(moved.service?.pair).toEqual({ ingest: to?.urls.ingest, playback: to?.urls.playback });
  expect(moved.log.map(({ event }) => event.code)).toEqual(expect.arrayContaining(['region-changed', 'region-failed']));
  await here.app.broadcast.stop({ streamId });
});

test('a broadcast to a remote service that restarts is on air there again', async () => {
  using folder = makeTestFolder();
  await copyProbes(folder.path);
  const ports = { http: await findQuietPort(), rtmp: await findQuietPort() };
  const options = { dataFolder: folder.path, secrets: openMemorySecretStore(), ports, awaitEncoders: false };
  await using here = await startTestService({ regionPatienceMs: 0 });
  await using there = await startTestService(options);
  const { streamId, watch } = await createStreamThere(here, there);
  await here.app.broadcast.goLive({ streamId, source: testSource, encode: lightEncode });
  const { session } = await watch((live) => isOnAir(live) && live.session !== undefined);

  await there.close();
  const tried = await watch(({ oneClick }) => oneClick.kind !== 'running');
  expect(tried.oneClick).toMatchObject({ kind: 'retrying' });
  await using _again = await startTestService(options);
  await watch((live) => isOnAir(live) && live.session !== undefined && live.session.id !== session?.id);
  await here.app.broadcast.stop({ streamId });
});
