import { expect, test } from 'vitest';
import { reloadIfOutdated } from './outdated-page.ts';

const formatPage = (script: string) => `<head><script type="module" crossorigin src="${script}"></script></head>`;

/** Lets a page whose script is `own` ask a service that gives this answer; returns how often it was reloaded, and what it asked. */
async function openPage(own: string | undefined, answer: () => Response) {
  const seen = { reloads: 0, asked: [] as unknown[] };
  await reloadIfOutdated({
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
    fetch: async (...asked) => {
      seen.asked.push(asked);
      return answer();
    },
  });
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
