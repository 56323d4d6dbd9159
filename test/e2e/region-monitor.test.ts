import { cp } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { testSource } from '../../src/shared/model/source.ts';
import { type BrowserUi, openBrowserUi, smallPage } from '../support/browser-ui.ts';
import { type FaultProxy, startFaultProxy } from '../support/fault-proxy.ts';
import { startTestHost, type TestHost } from '../support/headless-host.ts';
import { openHostContract } from '../support/host-contract.ts';
import { lightEncode } from '../support/light-encode.ts';
import { makeTestFolder } from '../support/store-stand.ts';
import { studioPage } from '../support/studio-page.ts';

/** New York began as a copy of Berlin, so that it has its stream, and is behind a network that can fail. */
let ui: BrowserUi;
let newYork: TestHost;
let network: FaultProxy;
let streamId: string;
const folder = makeTestFolder();

beforeAll(async () => {
  const [berlinFolder, newYorkFolder] = [join(folder.path, 'ber'), join(folder.path, 'jfk')];
  const secrets = ['--secrets', `file:${join(folder.path, 'key')}`];
  const first = await startTestHost({ dataFolder: berlinFolder, args: secrets });
  {
    using page = await openHostContract(first.ready.uiUrl);
    ({ id: streamId } = await page.app.stream.create({ name: 'Show' }));
  }
  await first.close();
  await cp(berlinFolder, newYorkFolder, { recursive: true });
  newYork = await startTestHost({ dataFolder: newYorkFolder, args: [...secrets, '--region', 'jfk'] });
  network = await startFaultProxy(Number(new URL(newYork.ready.ingestBaseUrl).port), { host: '127.0.0.9' });
  ui = await openBrowserUi({ args: ['--data-dir', berlinFolder, ...secrets, '--region', 'ber'], size: smallPage });
});
afterAll(async () => {
  await ui[Symbol.asyncDispose]();
  await network[Symbol.asyncDispose]();
  await newYork.close();
  folder[Symbol.dispose]();
});

test('the monitor plays from the region of the broadcast, and follows it to the next nearest', async () => {
  await ui.renewPage(`#/studio/${streamId}`);
  const { page } = ui;
  const studio = studioPage(page);
  await studio.goLive.waitFor();
  const { settings, broadcast } = await ui.contract();
  const { playbackBaseUrl } = newYork.ready;
  const { origin } = new URL(playbackBaseUrl);
  const urls = { ingest: `rtmp://127.0.0.9:${network.port}/live`, playback: playbackBaseUrl, base: origin };
  // The page was loaded before it had to play from there.
  await settings.update({ regions: [{ code: 'jfk', urls }], regionChoice: 'jfk' });
  await broadcast.goLive({ streamId, source: testSource, encode: lightEncode });
  await page.waitForFunction(
    (wanted) => performance.getEntriesByType('resource').some(({ name }) => name.startsWith(`${wanted}/hls/`)),
    origin,
  );
  await studio.seePicture();
  expect(
    await page.evaluate(() => performance.getEntriesByType('resource').filter(({ name }) => /m4s/.test(name)).length),
  ).not.toBe(0);
  await studio.state('On air').waitFor();
  await expect.poll(() => studio.value('Playback URL').textContent()).toMatch(new RegExp(`^${playbackBaseUrl}/`));
  await page.getByText('JFK', { exact: true }).waitFor();
  await expect.poll(() => studio.peaks.count()).toBe(2);

  network.refuse();
  network.reset();
  await page.getByText('The region JFK has failed').waitFor();
  // Another one is offered by now than the button says.
  await page.evaluate(() => {
    const { send } = WebSocket.prototype;
    WebSocket.prototype.send = function sendOther(data) {
      const isMove = typeof data === 'string' && data.includes('"region":"ber"');
      if (isMove) WebSocket.prototype.send = send;
      send.call(this, isMove ? data.replace('"region":"ber"', '"region":"muc"') : data);
    };
  });
  const move = page.getByRole('button', { name: 'Continue in BER' });
  await move.click();
  await page.getByText('MUC is no longer offered, so nothing was changed.').waitFor();
  await move.click();
  await expect.poll(() => studio.value('Playback URL').textContent()).toMatch(new RegExp(`^${ui.host.ready.playbackBaseUrl}/`));
  await studio.state('On air').waitFor();
  await studio.seePicture();
  await studio.health.getByText('You let the broadcast continue in BER instead of JFK.').waitFor();
  await studio.stopBroadcast();
  // The only complaint was about the policy of the first load, which had no such region.
  expect(ui.complaints.filter((complaint) => !complaint.includes('Content Security Policy'))).toEqual([]);
});
