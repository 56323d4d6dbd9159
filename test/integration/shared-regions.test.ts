import { expect, test } from 'vitest';
import { startDeadAddress } from '../support/dead-address.ts';
import { startTestService } from '../support/test-service.ts';

test('two Tallylights with one list of regions each answer their nearest pair, and both the same list', async () => {
  await using berlin = await startTestService({ awaitEncoders: false });
  await using newYork = await startTestService({ awaitEncoders: false });
  // As seen from the other computer, each is far away: its public address answers nobody here.
  await using _berlinAfar = await startDeadAddress('127.0.0.5', berlin.urls.rtmpPort);
  await using _newYorkAfar = await startDeadAddress('127.0.0.6', newYork.urls.rtmpPort);
  const urlsOf = ({ urls: { rtmpPort, httpPort } }: typeof berlin, host: string) => ({
    ingest: `rtmp://${host}:${rtmpPort}/live`,
    playback: `http://${host}:${httpPort}/hls`,
    base: `http://${host}:${httpPort}`,
  });
  const regions = [
    { code: 'ber', urls: urlsOf(berlin, '127.0.0.5') },
    { code: 'jfk', urls: urlsOf(newYork, '127.0.0.6') },
  ];
  await Promise.all([
    berlin.app.settings.update({ regionCode: 'ber', regions }),
    newYork.app.settings.update({ regionCode: 'jfk', regions }),
  ]);

  const pairs = regions.map(({ urls: { ingest, playback } }) => [{ ingest, playback }]);
  const answers = await Promise.all([berlin.api('GET', '/ingest'), newYork.api('GET', '/ingest')]);
  expect(answers.map(({ body }) => body)).toEqual(pairs);
  const all = await Promise.all([berlin.api('GET', '/ingest?first=false'), newYork.api('GET', '/ingest?first=false')]);
  const list = regions.map(({ urls }) => urls);
  expect(all.map(({ body }) => body)).toEqual([list, list]);
});
