import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { FlvTag } from '../../src/service/flv/flv-tag.ts';
import { type BrowserUi, goTo, openBrowserUi } from '../support/browser-ui.ts';
import { encoderMetadata } from '../support/flv-builder.ts';
import { publishTags } from '../support/publish-tags.ts';
import { streamsPage } from '../support/streams-page.ts';
import { studioPage } from '../support/studio-page.ts';
import { makeSource, repeatTags } from '../support/synthetic-source.ts';

const texts = {
  'one long word': 'x'.repeat(200),
  Arabic: 'بث مباشر من البيت '.repeat(12).trim(),
  emoji: '🎬👩‍👩‍👧‍👦🏳️‍🌈'.repeat(12),
};

let ui: BrowserUi;
let source: FlvTag[];
beforeAll(async () => {
  [ui, source] = await Promise.all([openBrowserUi(), makeSource({ rate: '15', gopFrames: 15 })]);
});
afterAll(async () => {
  await ui[Symbol.asyncDispose]();
});

/** The parts of the page that overflow, or reach beyond the window. */
const findWide = (page: Page) =>
  page.evaluate(() =>
    [...document.querySelectorAll('main, aside, header, nav, section, [role="dialog"], [role="alertdialog"], [role="menu"]')]
      .filter((part) => part.getClientRects().length > 0)
      .filter((part) => part.scrollWidth > part.clientWidth + 1 || part.getBoundingClientRect().right > window.innerWidth + 1)
      // Text for screen readers only is a pixel wide, and ellipses are deliberate.
      .filter((part) => part.clientWidth > 1 && getComputedStyle(part).textOverflow !== 'ellipsis')
      .map(
        (part) =>
          `${part.tagName} ${part.getAttribute('aria-label') ?? part.className}: ${part.scrollWidth} of ${part.clientWidth}`,
      ),
  );

/** The elements that show this text without its first letter, which a name that is read from the right has at its right end. */
const findBeheaded = (page: Page, text: string) =>
  page.evaluate(
    (start) =>
      [...document.querySelectorAll('body *')]
        .filter((element) => element.children.length === 0 && element.textContent.startsWith(start))
        .filter((element) => element.clientWidth > 1 && getComputedStyle(element).overflowX !== 'visible')
        .filter((element) => {
          const first = document.createRange();
          first.setStart(element.firstChild as Node, 0);
          first.setEnd(element.firstChild as Node, 1);
          const [letter, box] = [first.getBoundingClientRect(), element.getBoundingClientRect()];
          return letter.left < box.left - 1 || letter.right > box.right + 1;
        })
        .map((element) => `${element.tagName} ${element.className}`),
    text.slice(0, 8),
  );

/** What overflows on the smallest phone, and in the smallest and a large window. */
async function findWideInEachSize(page: Page): Promise<string[]> {
  const found: string[] = [];
  for (const [width, height] of [
    [360, 740],
    [900, 600],
    [1440, 900],
  ] as const) {
    await page.setViewportSize({ width, height });
    found.push(...(await findWide(page)).map((part) => `${width} px: ${part}`));
  }
  return found;
}

test.each(Object.entries(texts))('a name of %s widens no column, and keeps its beginning', async (_kind, text) => {
  const profiles = [{ name: text, bitrate: 150_000, fps: 0, width: 228, height: 128 }];
  const { streamKey } = await ui.createStream({ name: text, profiles });
  await using page = await ui.openPage('#/streams');
  const studio = studioPage(page);
  const streams = streamsPage(page);
  await streams.link(text).waitFor();
  const wide: string[] = await findWideInEachSize(page);
  const beheaded = await findBeheaded(page, text);
  const unreadable = await findUnreadable(page);
  await streams.link(text).click();
  await studio.goLive.waitFor();
  await studio.source('File').click();
  await studio.filePath.fill(`/home/me/${text}.mp4`);
  wide.push(...(await findWideInEachSize(page)));
  await studio.source('From OBS or another program').click();
  wide.push(...(await findWideInEachSize(page)));

  const tags = source.map((tag) => (tag.kind === 'script' ? encoderMetadata({ encoder: text, framerate: 15 }) : tag));
  const target = { port: Number(new URL(ui.host.ready.ingestBaseUrl).port), streamKey };
  // Stop closes the connection of the publisher.
  const ended = expect(publishTags(target, repeatTags(tags, 4))).rejects.toMatchObject({ kind: 'refused' });
  await studio.seePicture();
  beheaded.push(...(await findBeheaded(page, text)));
  await goTo(page, '#/settings');
  await page.getByRole('banner').getByText(text).waitFor();
  beheaded.push(...(await findBeheaded(page, text)));
  await page.goBack();
  await studio.openDetails();
  await studio.fact('Encoder').getByText(text.slice(0, 20)).first().waitFor();
  wide.push(...(await findWideInEachSize(page)));
  await studio.quality.click();
  await page.getByRole('menuitemradio').nth(2).waitFor();
  wide.push(...(await findWide(page)));
  await page.keyboard.press('Escape');
  expect([wide, beheaded, unreadable]).toEqual([[], [], []]);
  await studio.stopBroadcast();
  await ended;
});

/** The texts that are cut after some lines, and whose ellipsis is beside their box, where it isn't seen. */
const findLostEllipses = (page: Page) =>
  page.evaluate(() =>
    [...document.querySelectorAll('body *')]
      .filter((element) => getComputedStyle(element).webkitLineClamp !== 'none' && element.scrollWidth > element.clientWidth)
      .map((element) => `${element.tagName} ${element.className}: ${element.scrollWidth} of ${element.clientWidth}`),
  );

test('a name that is read from the right and is cut after some lines ends with an ellipsis', async () => {
  const { hash } = await ui.createStream({ name: texts.Arabic, profiles: [] });
  await using page = await ui.openPage('#/streams');
  const find = async () => {
    const found: string[] = [];
    for (const width of [360, 900, 1440]) {
      await page.setViewportSize({ width, height: 740 });
      found.push(...(await findLostEllipses(page)));
    }
    return found;
  };
  await streamsPage(page).link(texts.Arabic).first().waitFor();
  const found = await find();
  await goTo(page, hash);
  await page.getByRole('heading', { name: texts.Arabic, level: 1 }).waitFor();
  found.push(...(await find()));
  expect(found).toEqual([]);
});

/** The elements that cut off a text, and don't show all of it to a pointer that rests on them. */
const findUnreadable = (page: Page) =>
  page.evaluate(() =>
    [...document.querySelectorAll('body *')]
      .filter((element) => getComputedStyle(element).textOverflow === 'ellipsis' && element.scrollWidth > element.clientWidth)
      .filter((element) => element.getClientRects().length > 0 && !element.closest('[title]'))
      .map((element) => `${element.tagName} ${element.className}`),
  );

test('long names of files keep their beginning, and can be read', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'tallylight-names-'));
  const names = [`${[...texts.Arabic].slice(0, 110).join('').trim()}.mp4`, `${texts['one long word']}.mp4`];
  for (const name of names) await writeFile(join(folder, name), '');
  const { hash } = await ui.createStream({ name: 'Files', profiles: [] });
  await using page = await ui.openPage(hash);
  await page.setViewportSize({ width: 900, height: 600 });
  await studioPage(page).browseTo(folder);
  for (const name of names) await page.getByRole('button', { name }).click();
  const seen = async () => [await findBeheaded(page, texts.Arabic), await findUnreadable(page), await findWide(page)];
  expect(await seen()).toEqual([[], [], []]);
  await page.getByRole('button', { name: 'Add 2 files' }).click();
  await page
    .getByRole('list', { name: 'Files, in the order they play' })
    .getByText(names[1] ?? '')
    .waitFor();
  expect(await seen()).toEqual([[], [], []]);
  await rm(folder, { recursive: true });
});

test('long URLs of a region widen no column', async () => {
  const { settings } = await ui.contract();
  const host = `${'x'.repeat(60)}.${'y'.repeat(60)}.example.com`;
  const urls = { ingest: `rtmp://${host}:1/${'z'.repeat(200)}`, playback: `https://${host}/hls`, base: `https://${host}` };
  await settings.update({
    regions: [{ code: 'zzz', urls }],
    regionNetworks: [{ network: '2001:db8:1:2::/64', region: 'zzz' }],
  });
  await ui.renewPage('#/regions');
  await ui.page.getByText("Can't be reached.").waitFor();
  expect(await findWideInEachSize(ui.page)).toEqual([]);
  await settings.update({ regions: [], regionNetworks: [] });
});

test('a long API key name widens no column', async () => {
  await ui.renewPage('#/settings');
  const keys = ui.page.getByRole('region', { name: 'API keys' });
  for (const text of Object.values(texts)) {
    const name = [...text].slice(0, 40).join('');
    await keys.getByRole('textbox', { name: 'Name of the new key' }).fill(name);
    await keys.getByRole('button', { name: 'Create key' }).click();
    await keys.getByText(`${name} is ready.`).waitFor();
    expect(await findWideInEachSize(ui.page)).toEqual([]);
    await keys.getByRole('button', { name: "I've copied it" }).click();
  }
  await ui.page.reload();
  await keys.getByRole('row').nth(3).waitFor();
  expect(await findWideInEachSize(ui.page)).toEqual([]);
});

test('a remote service with a name of one long word widens nothing', async () => {
  const app = await ui.contract();
  const { secret } = await app.apiKey.create({ name: 'itself' });
  const name = texts['one long word'].slice(0, 100);
  const { id: serviceId } = await app.remoteService.add({ name, baseUrl: ui.host.ready.apiBaseUrl, apiKey: secret });
  const { id: streamId } = await app.stream.create({ name: 'Elsewhere', serviceId });
  await using page = await ui.openPage(`#/services/${serviceId}/streams`);
  await streamsPage(page).link('Elsewhere').waitFor();
  expect(await findWideInEachSize(page)).toEqual([]);
  await goTo(page, `#/studio/${encodeURIComponent(streamId)}`);
  await studioPage(page).strip.getByText(`on ${name}`).waitFor();
  expect(await findWideInEachSize(page)).toEqual([]);
  await goTo(page, '#/settings');
  await page.getByRole('button', { name: `Edit ${name}` }).waitFor();
  expect(await findWideInEachSize(page)).toEqual([]);
});
