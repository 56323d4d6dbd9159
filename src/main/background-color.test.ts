import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { backgroundColor } from './background-color.ts';

test("the window has the page's background colours", () => {
  const tokens = readFileSync(new URL('../renderer/styles/tokens.css', import.meta.url), 'utf8');
  const [light, dark] = [...tokens.matchAll(/--surface-0: (#[0-9a-f]{6});/g)].map(([, color]) => color);
  expect(backgroundColor).toEqual({ light, dark });
});
