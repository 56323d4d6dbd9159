import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { findReasonPhrase } from './reason-phrase.ts';

const at = (path: string) => new URL(path, import.meta.url).href;

test('a status has its reason phrase, an unknown one has none', () => {
  expect([404, 431, 599].map(findReasonPhrase)).toEqual(['Not Found', 'Request Header Fields Too Large', undefined]);
});

test('loading the service loads neither the fetch nor the WebSocket of Node', async () => {
  const program = `
    await import(${JSON.stringify(at('../service.ts'))});
    console.log(process.moduleLoadList.filter((name) => /undici/.test(name)));
    void WebSocket;
    console.log(process.moduleLoadList.filter((name) => /undici/.test(name)));
  `;
  const { stdout } = await promisify(execFile)(
    process.execPath,
    [...['--import', at('../../../test/support/raw-imports.ts')], ...['--input-type=module', '--eval', program]],
    { cwd: fileURLToPath(new URL('../../..', import.meta.url)) },
  );
  expect(stdout).toBe("[]\n[ 'NativeModule internal/deps/undici/undici' ]\n");
});
