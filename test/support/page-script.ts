import { readFile } from 'node:fs/promises';
import { stripTypeScriptTypes } from 'node:module';
import type { Page } from 'playwright-core';

/** A script as a page can run it: without its types, if it has any. */
export async function readPageScript(url: URL): Promise<string> {
  const text = await readFile(url, 'utf8');
  return url.pathname.endsWith('.ts') ? stripTypeScriptTypes(text) : text;
}

/** Runs a module of the screens in a page, and puts its exports under this name on the page's window. */
export async function addPageModule(page: Page, path: string, name: string): Promise<void> {
  const script = await readPageScript(new URL(`../../src/renderer/${path}`, import.meta.url));
  await page.addScriptTag({ type: 'module', content: `${script}; Object.assign(window, { ${name} });` });
  await page.waitForFunction((exported) => exported in window, name);
}
