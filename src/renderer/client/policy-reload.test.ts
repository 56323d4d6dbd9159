import { expect, test } from 'vitest';
import { lackUrlParse } from '../../../test/support/old-safari.ts';
import { reloadForPolicy } from './policy-reload.ts';

/** A page that counts its reloads. */
function openPage() {
  const stored = new Map<string, string>();
  const document = new EventTarget();
  const page = {
    reloads: 0,
    now: 1_000_000,
    wouldLose: false,
    block: (blockedURI: string) => document.dispatchEvent(Object.assign(new Event('securitypolicyviolation'), { blockedURI })),
  };
  const follow = (mayUse: (origin: string) => boolean) =>
    reloadForPolicy(
      {
        document: document as unknown as Document,
        sessionStorage: { getItem: (key) => stored.get(key) ?? null, setItem: (key, value) => void stored.set(key, value) },
        location: {
          reload() {
            page.reloads += 1;
          },
        },
      },
      mayUse,
      () => page.wouldLose,
      () => page.now,
    );
  return { page, follow };
}

test('a page that is kept from the origin of a service is reloaded, but not again and again', () => {
  const { page, follow } = openPage();
  const stop = follow((origin) => origin === 'https://cdn.example.com');
  page.block('https://cdn.example.com/hls/abc/index.m3u8');
  page.block('https://cdn.example.com/hls/abc/index.m3u8');
  expect(page.reloads).toBe(1);
  page.now += 60_000;
  page.block('https://cdn.example.com/hls/abc/index.m3u8');
  expect(page.reloads).toBe(2);
  stop();
  page.now += 60_000;
  page.block('https://cdn.example.com/hls/abc/index.m3u8');
  expect(page.reloads).toBe(2);
});

test('a page in Safari 17 is reloaded, too', () => {
  lackUrlParse();
  const { page, follow } = openPage();
  follow((origin) => origin === 'https://cdn.example.com');
  page.block('inline');
  page.block('https://cdn.example.com/hls/abc/index.m3u8');
  expect(page.reloads).toBe(1);
});

test('other violations reload nothing', () => {
  const { page, follow } = openPage();
  follow((origin) => origin === 'https://cdn.example.com');
  for (const uri of ['https://elsewhere.example.com/x', 'inline', 'eval', '']) page.block(uri);
  expect(page.reloads).toBe(0);
});

test('a page that would lose something of its user is reloaded at the first attempt once it would not', () => {
  const { page, follow } = openPage();
  follow((origin) => origin === 'https://cdn.example.com');
  page.wouldLose = true;
  page.block('https://cdn.example.com/hls/abc/index.m3u8');
  expect(page.reloads).toBe(0);
  page.wouldLose = false;
  page.block('https://cdn.example.com/hls/abc/index.m3u8');
  expect(page.reloads).toBe(1);
});

test('an IPv6 address reloads nothing: no policy can name it', () => {
  const { page, follow } = openPage();
  follow((origin) => origin === 'http://[::1]:4600');
  page.block('http://[::1]:4600/hls/abc/index.m3u8');
  expect(page.reloads).toBe(0);
});
