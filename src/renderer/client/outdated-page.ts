import { buildPath } from '../../shared/page-session.ts';
import { pause } from '../../shared/pause.ts';

/** How often to look whether a reload would still lose something, in milliseconds. */
const lookMs = 500;

/** The part of a window that this uses. */
interface LoadedPage {
  document: Pick<Document, 'querySelector'>;
  location: Pick<Location, 'reload'>;
  fetch: typeof fetch;
}

/**
 * Reloads the page if the service is of another build by now: after an update, a page that stayed open would speak the contract of the
 * old version. A page with unsaved edits lets its user decide.
 *
 * @param wouldLose whether a reload would lose something else of its user: it waits while that is so
 */
export async function reloadIfOutdated(page: LoadedPage, wouldLose = () => false): Promise<void> {
  // The name of a built script changes with its content. Extensions of the browser may have put scripts of theirs before it.
  const own = page.document.querySelector('script[type="module"][src^="."]')?.getAttribute('src');
  // Asked again once nothing would be lost: while the service is away, a reload would leave an error of the browser.
  while (own && (await isOfOtherBuild(page, own))) {
    if (!wouldLose()) return page.location.reload();
    while (wouldLose()) await pause(lookMs);
  }
}

async function isOfOtherBuild({ fetch }: LoadedPage, script: string): Promise<boolean> {
  try {
    const answer = await fetch(buildPath, { cache: 'no-store' });
    // Versions before this path don't have it.
    if (answer.status === 404) return true;
    return answer.ok && !(await answer.text()).includes(script);
  } catch {
    // The connection is lost again, and this is repeated when it is back.
    return false;
  }
}
