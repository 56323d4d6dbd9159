import vm from 'node:vm';
import { expect, test } from 'vitest';
import { formatSignInPage } from './sign-in-page.ts';

/** Runs the page's script in a browser with this storage. Returns where it went, and what it said. */
function open(setItem: (key: string, value: string) => void) {
  const script = /<script data-secret="(?<secret>[^"]*)">(?<code>[\s\S]*)<\/script>/.exec(formatSignInPage('abc_-1'))?.groups;
  const paragraph = { textContent: 'Opening Tallylight.' };
  const went: string[] = [];
  vm.runInNewContext(script?.code ?? '', {
    localStorage: { setItem },
    location: { replace: (url: string) => went.push(url) },
    document: { currentScript: { dataset: { secret: script?.secret } }, querySelector: () => paragraph },
  });
  return { went, says: paragraph.textContent };
}

test("it stores the page's secret and opens the screens", () => {
  const stored: string[][] = [];
  expect(open((...entry) => stored.push(entry))).toEqual({ went: ['/'], says: 'Opening Tallylight.' });
  expect(stored).toEqual([['tallylight.session', 'abc_-1']]);
});

test('where the browser stores nothing, it says so', () => {
  const opened = open(() => {
    throw new DOMException('Access is denied for this document.', 'SecurityError');
  });
  expect(opened).toEqual({
    went: [],
    says: "This browser doesn't let this page store anything. Allow that, and get another address with: npm run --silent tallylight -- address",
  });
});
