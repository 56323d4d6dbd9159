import { AxeBuilder } from '@axe-core/playwright';
import type { Page } from 'playwright-core';

/** Hidden, focusable elements around an open menu: they pass focus on, so axe must not report them. */
const focusGuards = '[data-base-ui-focus-guard]';

/** The axe rules that depend on the theme; all others check structure and names. */
const colorRules = ['color-contrast', 'link-in-text-block'];

/** The violations axe finds on the current page, one line each; empty when there are none. */
export async function findViolations(page: Page): Promise<string[]> {
  return runAxe(page);
}

/** Like {@link findViolations}, in the dark and the light theme; leaves the page in the dark one. */
export async function findViolationsInThemes(page: Page): Promise<string[]> {
  await page.emulateMedia({ colorScheme: 'dark' });
  const inDark = await runAxe(page);
  await page.emulateMedia({ colorScheme: 'light' });
  const inLight = await runAxe(page, colorRules);
  await page.emulateMedia({ colorScheme: 'dark' });
  return [...inDark.map((line) => `dark: ${line}`), ...inLight.map((line) => `light: ${line}`)];
}

async function runAxe(page: Page, rules?: string[]): Promise<string[]> {
  await page.evaluate(endTransitions);
  // The builder loads 650 kB of script into the page twice per check, which takes longer than the check. A page that has it gets none.
  const hasAxe = await page.evaluate(() => 'axe' in window);
  const { violations } = await new AxeBuilder({ page, ...(hasAxe && { axeSource: ';' }) })
    // Our pages have no cross-origin frames, so axe need not merge results in another page.
    .setLegacyMode()
    .exclude(focusGuards)
    .options({ ...(rules && { runOnly: { type: 'rule', values: rules } }), resultTypes: ['violations'] })
    .analyze();
  return violations.flatMap(({ id, nodes }) => nodes.map((node) => `${id}: ${node.target.join(' ')} ${node.failureSummary}`));
}

/** A colour in transition is neither the old one nor the new one. Endless animations are left alone. */
async function endTransitions(): Promise<void> {
  const passing = document
    .getAnimations()
    .filter(({ playState, effect }) => playState === 'running' && Number.isFinite(effect?.getComputedTiming().endTime));
  await Promise.allSettled(passing.map(({ finished }) => finished));
}
