import { expect, test } from 'vitest';
import { openPageSession } from './page-session.ts';

/** A browser that knows these secrets, and can open pages. */
function openBrowser(stored: Record<string, string> = {}) {
  const secrets = new Map(Object.entries(stored));
  const addresses: unknown[] = [];
  const open = (hash: string) =>
    openPageSession({
      location: { hash, pathname: '/' },
      history: { replaceState: (_state, _title, address) => addresses.push(address) },
      localStorage: {
        getItem: (key) => secrets.get(key) ?? null,
        setItem: (key, value) => void secrets.set(key, value),
        removeItem: (key) => void secrets.delete(key),
      },
    });
  return { open, addresses, stored: () => Object.fromEntries(secrets) };
}

const good = { 'tallylight.session': 'good' };

test('a secret in the address is tried first, by every tab, and replaces the old one once it is accepted', () => {
  const browser = openBrowser(good);
  const tab = browser.open('');
  const page = browser.open('#session=new');
  expect([browser.addresses, page.findSecret(), tab.findSecret()]).toEqual([['/'], 'new', 'new']);
  expect(browser.stored()).toMatchObject(good);
  // Until then a reload tries it again.
  expect(browser.open('').findSecret()).toBe('new');
  page.accept('new');
  expect([tab.findSecret(), browser.stored()]).toEqual(['new', { 'tallylight.session': 'new' }]);
});

test('a secret in the address that is refused is dropped, and the old one stays', () => {
  const browser = openBrowser(good);
  const page = browser.open('#session=bad');
  page.refuse('bad');
  expect([page.findSecret(), browser.stored()]).toEqual(['good', good]);
  page.refuse('good');
  expect([page.findSecret(), browser.stored()]).toEqual(['good', good]);
});

test('an answer about an older secret changes nothing', () => {
  const browser = openBrowser(good);
  const page = browser.open('#session=new');
  page.accept('good');
  page.refuse('older');
  expect(browser.stored()).toEqual({ ...good, 'tallylight.session-candidate': 'new' });
});

test.each(['#session=', '#session=a b', '#session=a,b', '#session=%00'])(
  '%s has no secret, and leaves the address bar',
  (hash) => {
    const browser = openBrowser(good);
    expect(browser.open(hash).findSecret()).toBe('good');
    expect([browser.addresses, browser.stored()]).toEqual([['/'], good]);
  },
);

test('a page of a browser without a session has no secret, and keeps the address of its screen', () => {
  const browser = openBrowser();
  expect([browser.open('#/settings').findSecret(), browser.addresses]).toEqual([undefined, []]);
});
