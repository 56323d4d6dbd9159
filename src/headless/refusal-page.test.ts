import { expect, test } from 'vitest';
import { formatRefusalPage } from './refusal-page.ts';

const lastLine = (origin?: string) => [...formatRefusalPage('No.', origin).matchAll(/<p>([^<]*)<\/p>/g)].at(-1)?.[1];

test('on another device the page says with what to begin the address, since 127.0.0.1 leads to that device', () => {
  expect(lastLine('http://192.168.1.20:4600')).toBe(
    'On this device, begin the address with http://192.168.1.20:4600/ instead.',
  );
  expect(lastLine('http://<b>:4600')).toContain('http://&lt;b&gt;:4600/');
  expect([lastLine('http://127.0.0.1:4600'), lastLine()].filter((line) => line?.includes('On this device'))).toEqual([]);
});
