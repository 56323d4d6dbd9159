import { AxeBuilder } from '@axe-core/playwright';
import type { Page } from 'playwright-core';

/** Empty elements around an open menu that pass the focus on as they get it: hidden and focusable is what they are for. */
const focusGuards = '[data-base-ui-focus-guard]';

/** The rules of axe that a theme decides; all others look at what is there and what it is called. */
const colorRules = ['color-contrast', 'link-in-text-block'];

/** What axe finds wrong with what the page shows now, a line each: empty when nothing is. */
export async function findViolations(page: Page): Promise<string[]> {
  return runAxe(page);
}

/** As {@link findViolations}, in the dark theme and in the light one; the page is in the dark one afterwards. */
export async function findViolationsInThemes(page: Page): Promise<string[]> {
  await page.emulateMedia({ colorScheme: 'dark' });
  const inDark = await runAxe(page);
  await page.emulateMedia({ colorScheme: 'light' });
  const inLight = await runAxe(page, colorRules);
  await page.emulateMedia({ colorScheme: 'dark' });
  return [...inDark.map((line) => `dark: ${line}`), ...inLight.map((line) => `light: ${line}`)];
}

async function runAxe(page: Page, rules?: string[]): Promise<string[]> {
  const { violations } = await new AxeBuilder({ page })
    // Our pages have no frames of other origins, whose results would be put together in another page.
    .setLegacyMode()
    .exclude(focusGuards)
    .options({ ...(rules && { runOnly: { type: 'rule', values: rules } }), resultTypes: ['violations'] })
    .analyze();
  return violations.flatMap(({ id, nodes }) => nodes.map((node) => `${id}: ${node.target.join(' ')} ${node.failureSummary}`));
}
