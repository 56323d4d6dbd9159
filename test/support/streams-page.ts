import type { Page } from 'playwright-core';
import type { BrowserUi } from './browser-ui.ts';

/** The Streams screen, by its parts' accessible names. */
export function streamsPage(page: Page) {
  // A toast is a dialog, too, so select by name.
  const dialog = page.getByRole('dialog', { name: /^(New|Edit) stream$/ });
  return {
    makeFirst: page.getByRole('button', { name: 'Create my first stream' }),
    heading: page.getByRole('heading', { name: 'Streams', level: 1 }),
    row: (name: string) => page.getByRole('main').getByRole('row').filter({ hasText: name }),
    link: (name: string) => page.getByRole('main').getByRole('link', { name }),
    dialog,
    name: dialog.getByRole('textbox', { name: 'Name' }).first(),
    ladder: (choice: string) => dialog.getByRole('radio', { name: choice }),
    rendition: (index: number) => dialog.getByRole('group', { name: `Rendition ${index}` }),
    create: dialog.getByRole('button', { name: 'Create' }),
    save: dialog.getByRole('button', { name: 'Save' }),
    question: page.getByRole('alertdialog'),
    async choose(name: string, what: string) {
      await page.getByRole('button', { name: `More about ${name}` }).click();
      await page.getByRole('menuitem', { name: what }).click();
    },
  };
}

/** Creates a stream through the screens, without renditions unless another ladder is named; its Studio is open then. */
export async function makeStream({ page, goTo }: BrowserUi, name: string, ladder = 'Source only'): Promise<void> {
  await goTo('#/streams/new');
  const streams = streamsPage(page);
  await streams.name.fill(name);
  await streams.ladder(ladder).click();
  await streams.create.click();
  await page.getByRole('heading', { name, level: 1 }).waitFor();
}
