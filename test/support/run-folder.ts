import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const prefix = 'tallylight-run-';
const namePattern = new RegExp(`^${prefix}(\\d+)-`);
/** Programs of a test may still be writing their last files. */
const patience = { recursive: true, force: true, maxRetries: 20, retryDelay: 100 } as const;

/**
 * Gives a whole test run one temporary folder (vitest's `globalSetup`), so that what tests, browsers and hosts leave in it goes
 * however they end: with the run, or, of one that was broken off while they still wrote, with the next.
 *
 * @returns removes it.
 */
export function setup(): () => void {
  // Chromium's socket lies in it, and macOS's own temporary folder is too long for one (unix(4)).
  const base = process.platform === 'darwin' ? '/tmp' : tmpdir();
  removeFoldersOfTheDead(base);
  const folder = mkdtempSync(join(base, `${prefix}${process.pid}-`));
  const before = pickTemporaryVariables();
  Object.assign(process.env, { TMPDIR: folder, TMP: folder, TEMP: folder });
  const remove = () => rmSync(folder, patience);
  process.once('exit', remove);
  return () => {
    process.off('exit', remove);
    for (const [name, value] of Object.entries(before)) {
      if (value === undefined) delete process.env[name];
      else process.env[name] = value;
    }
    remove();
  };
}

function pickTemporaryVariables(): Record<string, string | undefined> {
  const { TMPDIR, TMP, TEMP } = process.env;
  return { TMPDIR, TMP, TEMP };
}

/** Removes the folders in `base` of runs whose process is there no more. */
export function removeFoldersOfTheDead(base: string): void {
  for (const name of readdirSync(base)) {
    const [, pid] = namePattern.exec(name) ?? [];
    if (pid !== undefined && !isRunning(Number(pid))) rmSync(join(base, name), patience);
  }
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    // Another user's.
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
