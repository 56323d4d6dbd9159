import { expect, test } from 'vitest';
import { recommendedProfiles } from '../../src/shared/model/profile.ts';
import { testSource } from '../../src/shared/model/source.ts';
import { findViolationsInThemes } from '../support/axe.ts';
import { type BrowserUi, smallPage } from '../support/browser-ui.ts';
import { shareBrowserUi } from '../support/shared-ui.ts';
import { studioPage } from '../support/studio-page.ts';

let ui: BrowserUi;
shareBrowserUi({ size: smallPage }, (opened) => {
  ui = opened;
});

const cost = () => ui.page.getByRole('region', { name: 'Quality and cost' });
const choose = async (label: string, option: RegExp) => {
  await ui.page.getByRole('combobox', { name: label, exact: true }).click();
  await ui.page.getByRole('option', { name: option }).click();
};

test.each([smallPage, { width: 1440, height: 900 }])(
  'in a window of $width × $height, nothing below moves when cost and preview become known',
  async (size) => {
    const { hash } = await ui.createStream({ name: 'Morning' });
    const page = await ui.openPage(hash, async (opened) => {
      await opened.setViewportSize(size);
      await opened.addInitScript(() => {
        const places = new Set<number>();
        Object.assign(window, { places });
        const look = () => {
          const button = document.querySelector('[aria-label="Copy ingest URL"]');
          if (button) places.add(Math.round(button.getBoundingClientRect().y));
          requestAnimationFrame(look);
        };
        look();
      });
    });
    await page.getByText(/^\d+\.\d of \d+ cores? \(estimated\)$/).waitFor();
    await page.locator('figure[data-state="shown"]').waitFor();
    expect(await page.evaluate(() => [...Reflect.get(window, 'places')])).toHaveLength(1);
    await page.close();
  },
);

test('the quality is chosen by what viewers get, with what it costs, and remembered for the stream', async () => {
  const { id, hash } = await ui.createStream({ name: 'Evening' });
  await ui.renewPage(hash);
  await cost()
    .getByText(/^\d+ × \d+ at \d+\sfps, \d+\u202f160\skbit\/s$/)
    .waitFor();
  await choose('Quality', /^4K, 2160p at 60 fps/);
  await cost().getByText('3840 × 2160 at 60 fps, 22\u202f160 kbit/s').waitFor();
  await cost()
    .getByText(/^\d+\.\d of \d+ cores? \(estimated\)$/)
    .waitFor();
  await choose('Quality', /^Custom/);
  const field = (name: string) => ui.page.getByRole('textbox', { name });
  await expect.poll(() => field('Video bitrate').inputValue()).toBe('22000');
  await choose('Size', /1280 × 720/);
  await field('Frames per second').fill('90');
  await ui.page.getByText('Use 10 to 60.').waitFor();
  // A field that is wrong gets the focus, and nothing starts.
  await studioPage(ui.page).goLive.click();
  expect(await field('Frames per second').evaluate((element) => element === document.activeElement)).toBe(true);
  await field('Frames per second').fill('15');
  await field('Video bitrate').fill('400');
  await cost().getByText('Fast scenes will look blocky').waitFor();
  expect(await findViolationsInThemes(ui.page)).toEqual([]);
  await choose('Keyframe interval', /^2\ss$/);
  await studioPage(ui.page).goLive.click();
  await studioPage(ui.page).seePicture();
  const encode = {
    kind: 'by-hand',
    settings: {
      width: 1280,
      height: 720,
      fps: 15,
      videoBitrateBps: 400_000,
      keyframeSeconds: 2,
      audioBitrateBps: 160_000,
    },
  };
  const contract = await ui.contract();
  for await (const live of await contract.stream.watch({ streamId: id })) {
    expect(live.lastChoice).toEqual({ source: testSource, encode });
    expect(live.oneClick).toMatchObject({ kind: 'running', encode, settings: encode.settings });
    break;
  }
  await studioPage(ui.page).stopBroadcast();
  await ui.page.reload();
  await ui.page.getByRole('combobox', { name: 'Quality' }).getByText('Custom').waitFor();
  await expect.poll(() => field('Video bitrate').inputValue()).toBe('400');
});

test('the cost follows the renditions, whoever changes them', async () => {
  const { id, hash } = await ui.createStream({ name: 'Noon', profiles: recommendedProfiles });
  await ui.renewPage(hash);
  await cost()
    .getByText(/ for renditions /)
    .waitFor();
  const { stream } = await ui.contract();
  await stream.update({ streamId: id, changes: { profiles: [] } });
  await cost()
    .getByText(/^\d+\.\d of \d+ cores? \(estimated\)$/)
    .waitFor();
});

test('the quality that another page goes live with is the one chosen here, too', async () => {
  const { id, hash } = await ui.createStream({ name: 'Night' });
  await ui.renewPage(hash);
  const quality = ui.page.getByRole('combobox', { name: 'Quality' });
  await choose('Quality', /^4K, 2160p at 60 fps/);
  const { broadcast } = await ui.contract();
  const settings = { width: 1280, height: 720, fps: 12, videoBitrateBps: 500_000, keyframeSeconds: 1, audioBitrateBps: 64_000 };
  await broadcast.goLive({ streamId: id, source: testSource, encode: { kind: 'by-hand', settings } });
  await studioPage(ui.page).seePicture();
  await broadcast.stop({ streamId: id });
  await quality.getByText('Custom').waitFor();
  await expect.poll(() => ui.page.getByRole('textbox', { name: 'Frames per second' }).inputValue()).toBe('12');
});
