import { expect, test } from 'vitest';
import { openBrowserUi } from '../support/browser-ui.ts';
import { makeOddFfmpeg } from '../support/odd-ffmpeg.ts';

test('Settings shows what ffmpeg said for each encoder that failed its trial, and offers those that work', async () => {
  const words = 'Cannot load the driver of this card';
  const ffmpeg = await makeOddFfmpeg(`case "$*" in *libx264*) ;; *-frames:v*) echo '${words}' >&2; exit 1;; esac`);
  await using ui = await openBrowserUi({ env: { TALLYLIGHT_FFMPEG: ffmpeg } });
  await ui.goTo('#/settings');
  const failed = ui.page.getByRole('region', { name: /^\d+ encoders? (doesn't|don't) work here$/ });
  await failed.getByRole('button', { name: /work here$/ }).click();
  // On a busy computer its first trial may be late.
  await expect.poll(() => failed.getByRole('listitem').filter({ hasText: 'x264' }).count(), { timeout: 60_000 }).toBe(0);
  const asks = failed.getByRole('button', { name: /^Show ffmpeg output for / });
  const count = await failed.getByRole('listitem').count();
  expect([await asks.count(), await failed.getByText("ffmpeg can't use it on this computer.").count()]).toEqual([count, count]);
  await asks.first().click();
  await failed.getByText(words).waitFor();

  const service = ui.page.getByRole('region', { name: 'Service', exact: true });
  const choice = service.getByRole('combobox', { name: 'Encoder' });
  await choice.click();
  const options = ui.page.getByRole('option');
  await options.first().waitFor();
  await expect.poll(() => options.allTextContents()).toEqual(['AutomaticThe first that works: x264', 'x264CPU']);
  await options.filter({ hasText: 'CPU' }).click();
  await service.getByRole('button', { name: 'Save' }).click();
  await ui.page.getByText('Settings saved').first().waitFor();
  await ui.page.reload();
  await choice.filter({ hasText: 'x264' }).waitFor();
  expect(ui.complaints).toEqual([]);
});
