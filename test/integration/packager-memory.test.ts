import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';

const program = fileURLToPath(new URL('../support/packager-memory.ts', import.meta.url));

it('a stream of 3 Mbit/s with a window of 60 s uses less than 64 MiB after five minutes', async () => {
  const { stdout } = await promisify(execFile)(process.execPath, ['--expose-gc', program]);
  const { baseBytes, peakBytes, segments } = JSON.parse(stdout);
  expect(segments).toBe(30);
  expect((peakBytes - baseBytes) / 2 ** 20).toBeLessThan(64);
});
