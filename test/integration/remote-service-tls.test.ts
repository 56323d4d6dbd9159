import { expect, test } from 'vitest';
import { testSource } from '../../src/shared/model/source.ts';
import { startTestHost } from '../support/headless-host.ts';
import { openHostContract } from '../support/host-contract.ts';
import { lightEncode } from '../support/light-encode.ts';
import { tlsPaths } from '../support/tls-fixtures.ts';
import { waitUntil } from '../support/wait-until.ts';

test('a remote service is asked over HTTPS and sent to over RTMPS; a certificate that this computer does not know is refused', async () => {
  const { certificatePath, keyPath } = tlsPaths('first');
  await using there = await startTestHost({ args: ['--tls-cert', certificatePath, '--tls-key', keyPath] });
  await using here = await startTestHost({ env: { NODE_EXTRA_CA_CERTS: certificatePath } });
  await using stranger = await startTestHost();
  using far = await openHostContract(there.ready.uiUrl);
  using near = await openHostContract(here.ready.uiUrl);
  using strange = await openHostContract(stranger.ready.uiUrl);
  const apiKey = await there.createApiKey();
  const info = await waitUntil(await far.app.service.watch(), () => true);
  const base = `https://localhost:${info.httpPort}`;
  const urls = { ingest: `rtmps://localhost:${info.rtmpPort}/live`, playback: `${base}/hls`, base };
  await far.app.settings.update({ regions: [{ code: info.regionCode, urls }] });

  const added = { name: 'There', baseUrl: `${base}/api`, apiKey };
  await expect(strange.app.remoteService.add(added)).rejects.toThrow(
    "The certificate of localhost is from an authority that this computer doesn't trust. If it is your own, start Tallylight with its file in NODE_EXTRA_CA_CERTS.",
  );
  const { id: serviceId } = await near.app.remoteService.add(added);
  const { id: streamId } = await near.app.stream.create({ name: 'Encrypted', serviceId });
  await near.app.broadcast.goLive({ streamId, source: testSource, encode: lightEncode });
  const live = await waitUntil(
    await near.app.stream.watch({ streamId }),
    ({ stream, session }) => stream.air.kind === 'on-air' && (session?.sourceSegments ?? 0) > 0,
  );
  expect(live.service?.pair).toEqual({ ingest: urls.ingest, playback: urls.playback });
  await near.app.broadcast.stop({ streamId });
});
