import { onTestFinished, vi } from 'vitest';

/** Makes `URL.parse`, which Safari lacks before version 18, throw until the test is over. */
export function lackUrlParse(): void {
  const parse = vi.spyOn(URL, 'parse').mockImplementation(() => {
    throw new TypeError('URL.parse is not a function');
  });
  onTestFinished(() => parse.mockRestore());
}
