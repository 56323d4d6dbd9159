import { expect, test } from 'vitest';
import { launchChromium } from '../support/chromium.ts';
import { startFfmpegPublisher } from '../support/ffmpeg-publisher.ts';
import { startTestHost } from '../support/headless-host.ts';
import { studioPage } from '../support/studio-page.ts';
import { tlsPaths } from '../support/tls-fixtures.ts';

test('over HTTPS the screens open, hear the service, and play what is published over RTMPS', async () => {
  const { certificatePath, keyPath } = tlsPaths('first');
  await using host = await startTestHost({ args: ['--tls-cert', certificatePath, '--tls-key', keyPath] });
  await using browser = await launchChromium();
  const page = await browser.newPage({ ignoreHTTPSErrors: true, viewport: { width: 900, height: 600 } });
  const complaints: string[] = [];
  page.on('pageerror', ({ message }) => complaints.push(message));
  await page.goto(host.ready.uiUrl.replace('http:', 'https:'));
  await page.getByRole('navigation', { name: 'Screens' }).waitFor();

  const headers = { authorization: `Bearer ${await host.createApiKey()}`, 'content-type': 'application/json' };
  const body = '{"name":"Encrypted"}';
  const created = await fetch(`${host.ready.apiBaseUrl}/stream`, { method: 'POST', headers, body });
  const { streamKey } = (await created.json()) as { streamKey: string };
  await page.getByRole('main').getByRole('link', { name: 'Encrypted' }).click();
  await using _publisher = startFfmpegPublisher(`${host.ready.ingestBaseUrl.replace('rtmp:', 'rtmps:')}/${streamKey}`);
  await studioPage(page).seePicture();
  await page.getByRole('region', { name: 'Set-up' }).getByText('over RTMPS').waitFor();
  expect(new URL(page.url()).protocol).toBe('https:');
  expect(complaints).toEqual([]);
});
