import { expect, onTestFinished, test, vi } from 'vitest';
import { copyText } from './copy-text.ts';

/** A page with this asynchronous clipboard, whose `execCommand` copies nothing. */
function stubPage(clipboard: Partial<Clipboard> | undefined) {
  vi.stubGlobal('navigator', { clipboard });
  vi.stubGlobal(
    'ClipboardItem',
    class {
      readonly items: Record<string, Promise<Blob>>;
      constructor(items: Record<string, Promise<Blob>>) {
        this.items = items;
      }
    },
  );
  const area = { style: {}, setAttribute() {}, select() {}, remove() {} };
  vi.stubGlobal('HTMLElement', class {});
  vi.stubGlobal('document', {
    activeElement: null,
    body: { append() {} },
    createElement: () => area,
    execCommand: () => false,
  });
  onTestFinished(() => void vi.unstubAllGlobals());
}

/** Like WebKit's: only a copy requested during the press is allowed, and its text may arrive later. */
function openStrictClipboard() {
  const page = { isPressed: true, copied: [] as string[] };
  const refuse = () => {
    if (!page.isPressed) throw new DOMException('The request is not allowed.', 'NotAllowedError');
  };
  stubPage({
    async writeText(text) {
      refuse();
      page.copied.push(text);
    },
    async write([item]) {
      refuse();
      const { items } = item as unknown as { items: Record<string, Promise<Blob>> };
      const blob = await items['text/plain'];
      page.copied.push(`${blob?.type} ${await blob?.text()}`);
    },
  });
  return page;
}

test('a text that is there is copied at once', async () => {
  const page = openStrictClipboard();
  expect(await copyText('rtmp://127.0.0.1/live')).toBe(true);
  expect(page.copied).toEqual(['rtmp://127.0.0.1/live']);
});

test('a text that comes after the press is copied where only the press may copy', async () => {
  const page = openStrictClipboard();
  const { promise, resolve } = Promise.withResolvers<string>();
  const copying = copyText(promise);
  page.isPressed = false;
  resolve('abcd-efgh');
  expect([await copying, page.copied]).toEqual([true, ['text/plain abcd-efgh']]);
});

test('a text that cannot be read is not copied, and says why', async () => {
  const page = openStrictClipboard();
  await expect(copyText(Promise.reject(new Error('no contact')))).rejects.toThrow('no contact');
  expect(page.copied).toEqual([]);
});

test('where no text can be awaited, it is copied when it comes', async () => {
  const copied: string[] = [];
  const writeText = async (text: string) => void copied.push(text);
  const write = () => Promise.reject(new TypeError('no promises here'));
  stubPage({ writeText, write });
  expect(await copyText(Promise.resolve('one'))).toBe(true);
  stubPage({ writeText });
  expect(await copyText(Promise.resolve('two'))).toBe(true);
  expect(copied).toEqual(['one', 'two']);
});

test('a page that may copy nothing says so', async () => {
  stubPage(undefined);
  expect([await copyText('text'), await copyText(Promise.resolve('text'))]).toEqual([false, false]);
});
