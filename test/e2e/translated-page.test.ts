import { expect, test } from 'vitest';
import { type BrowserUi, smallPage } from '../support/browser-ui.ts';
import { startFfmpegPublisher } from '../support/ffmpeg-publisher.ts';
import { shareBrowserUi } from '../support/shared-ui.ts';
import { studioPage } from '../support/studio-page.ts';

let ui: BrowserUi;
shareBrowserUi({ size: smallPage }, (opened) => {
  ui = opened;
});

/** Translates the page as Chrome does, now and whenever it changes: each text is replaced with an element that holds its translation. */
function translatePage() {
  const translate = (part: Node) => {
    const walker = document.createTreeWalker(part, NodeFilter.SHOW_TEXT);
    const texts: Text[] = [];
    while (walker.nextNode()) texts.push(walker.currentNode as Text);
    for (const text of texts) {
      if (text.data.trim() === '' || text.parentElement?.closest('font, script, style')) continue;
      const translation = document.createElement('font');
      translation.textContent = `¡${text.data}!`;
      text.replaceWith(translation);
    }
  };
  translate(document.body);
  new MutationObserver((changes) => {
    for (const { target } of changes) if (target.isConnected) translate(target);
  }).observe(document.body, { childList: true, subtree: true });
}

test('a page that the browser translates keeps telling the truth', async () => {
  const { hash, ingestUrl } = await ui.createStream({ name: 'Translated' });
  await ui.goTo(hash);
  const studio = studioPage(ui.page);
  await studio.goLive.waitFor();
  await ui.page.evaluate(translatePage);
  const link = ui.page.getByRole('navigation', { name: 'Screens' }).getByRole('link', { name: 'Translated' });
  await expect.poll(() => link.textContent()).toContain('¡Translated');
  const named = (name: string) => link.and(ui.page.getByRole('link', { name, exact: true }));
  const note = link.locator('small');
  await using publisher = startFfmpegPublisher(ingestUrl);
  await studio.seePicture();
  await named('¡Translated On air!').waitFor();
  await expect.poll(() => note.textContent()).toBe('¡On air!');
  const latency = studio.monitor.getByRole('button', { name: 'behind your encoder' });
  const seenAtFirst = await latency.textContent();
  await expect.poll(() => latency.textContent()).not.toBe(seenAtFirst);
  await publisher.kill();
  await studio.state('¡Signal lost!').waitFor();
  await named('¡Translated Signal lost!').waitFor();
  expect(await note.textContent()).toBe('¡Signal lost!');
});
