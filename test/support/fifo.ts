import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';

/** Makes a FIFO (mkfifo(3)) that exists until the test has finished: while nobody writes to it, opening it for reading blocks. */
export function makeFifo(): string {
  const folder = mkdtempSync(join(tmpdir(), 'tallylight-fifo-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const path = join(folder, 'fifo');
  execFileSync('mkfifo', [path]);
  return path;
}
