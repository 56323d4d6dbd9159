import { expect, onTestFinished, test, vi } from 'vitest';
import { reloadIfOutdated } from './outdated-page.ts';

const formatPage = (script: string) => `<head><script type="module" crossorigin src="${script}"></script></head>`;

/**
 * Lets a page whose script is `own` ask a service that gives this answer; returns how often it was reloaded, and what it asked.
 *
 * @param wouldLose whether a reload would lose something
 */
async function openPage(own: string | undefined, answer: () => Response, wouldLose = () => false) {
  const seen = { reloads: 0, asked: [] as unknown[] };
  const page = {
    document: {
      querySelector: (selector: string) => {
        // Not a script that an extension of the browser has put before it.
        expect(selector).toBe('script[type="module"][src^="."]');
        return own === undefined ? null : { getAttribute: () => own };
      },
    } as unknown as Document,
    location: {
      reload() {
        seen.reloads += 1;
      },
    },
    fetch: async (...asked: unknown[]) => {
      seen.asked.push(asked);
      return answer();
    },
  };
  await reloadIfOutdated(page, wouldLose);
  return seen;
}

test.each([
  ['is of another build', () => new Response(formatPage('./assets/index-new.js'))],
  ['is of a version that names no build', () => new Response('Not found', { status: 404 })],
])('a page is reloaded once the service %s', async (_case, answer) => {
  const seen = await openPage('./assets/index-old.js', answer);
  expect(seen).toEqual({ reloads: 1, asked: [['/build', { cache: 'no-store' }]] });
});

test.each([
  ['the service is of its build', './assets/index-old.js', () => new Response(formatPage('./assets/index-old.js'))],
  ['its session has ended', './assets/index-old.js', () => new Response('No session', { status: 403 })],
  [
    'the service is gone again',
    './assets/index-old.js',
    () => {
      throw new TypeError('Failed to fetch');
    },
  ],
  ['it has no script', undefined, () => new Response(formatPage('./assets/index-new.js'))],
])('a page stays if %s', async (_case, own, answer) => {
  expect(await openPage(own, answer)).toMatchObject({ reloads: 0 });
});

test('a page with an open dialog is reloaded once the dialog is closed, so that nothing typed there is lost', async () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  let isOpen = true;
  const reloaded = openPage(
    './assets/index-old.js',
    () => new Response(formatPage('./assets/index-new.js')),
    () => isOpen,
  );
  const seen: string[] = [];
  void reloaded.then(({ reloads }) => seen.push(`reloaded ${reloads} time`));
  await vi.advanceTimersByTimeAsync(60_000);
  seen.push('closed');
  isOpen = false;
  await vi.advanceTimersByTimeAsync(1_000);
  expect(seen).toEqual(['closed', 'reloaded 1 time']);
});

test.each([
  [
    'the service is gone again, where the browser would show an error',
    () => {
      throw new TypeError('Failed to fetch');
    },
  ],
  ['the service is of its build again', () => new Response(formatPage('./assets/index-old.js'))],
])('a page whose dialog is closed late stays if by then %s', async (_case, later: () => Response) => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const answers = [() => new Response(formatPage('./assets/index-new.js')), later];
  const looks = [true, true];
  const opened = openPage(
    './assets/index-old.js',
    () => (answers.shift() ?? later)(),
    () => looks.shift() ?? false,
  );
  await vi.advanceTimersByTimeAsync(60_000);
  const asked = ['/build', { cache: 'no-store' }];
  expect(await opened).toEqual({ reloads: 0, asked: [asked, asked] });
});
