import { AxeBuilder } from '@axe-core/playwright';
import type { Page } from 'playwright-core';

/** Empty elements around an open menu that pass the focus on as they get it: hidden and focusable is what they are for. */
const focusGuards = '[data-base-ui-focus-guard]';

/** What axe finds wrong with what the page shows now, a line each: empty when nothing is. */
export async function findViolations(page: Page): Promise<string[]> {
  const { violations } = await new AxeBuilder({ page }).exclude(focusGuards).analyze();
  return violations.flatMap(({ id, nodes }) => nodes.map((node) => `${id}: ${node.target.join(' ')} ${node.failureSummary}`));
}
