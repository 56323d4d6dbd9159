import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isRunning } from './is-running.ts';

const prefix = 'tallylight-run-';
const namePattern = new RegExp(`^${prefix}(\\d+)-`);
/** A test's programs may still be writing their last files. */
const patience = { recursive: true, force: true, maxRetries: 20, retryDelay: 100 } as const;

/**
 * Gives a test run one temporary folder (vitest's `globalSetup`), so that everything tests, browsers and hosts leave in it is removed
 * however they end: at the end of the run, or by the next run if this one was interrupted.
 *
 * @returns a function that removes it.
 */
export function setup(): () => void {
  // Chromium's socket is in it, and macOS's own temporary folder is too long for its path (unix(4)).
  const base = process.platform === 'darwin' ? '/tmp' : tmpdir();
  removeFoldersOfTheDead(base);
  const folder = mkdtempSync(join(base, `${prefix}${process.pid}-`));
  const before = pickVariables();
  // A compile cache for the whole run, so that each host's code is compiled once.
  Object.assign(process.env, { TMPDIR: folder, TMP: folder, TEMP: folder, NODE_COMPILE_CACHE: join(folder, 'compile-cache') });
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

function pickVariables(): Record<string, string | undefined> {
  const { TMPDIR, TMP, TEMP, NODE_COMPILE_CACHE } = process.env;
  return { TMPDIR, TMP, TEMP, NODE_COMPILE_CACHE };
}

/** Removes the folders in `base` of runs whose process no longer exists. */
export function removeFoldersOfTheDead(base: string): void {
  for (const name of readdirSync(base)) {
    const [, pid] = namePattern.exec(name) ?? [];
    if (pid !== undefined && !isRunning(Number(pid))) rmSync(join(base, name), patience);
  }
}
