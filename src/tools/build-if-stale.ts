import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { accessSync, constants, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import { electronVite, root } from './paths.ts';

/** Inputs of the build besides the files in src/. */
const configurations = ['package.json', 'package-lock.json', 'electron.vite.config.ts', 'tsconfig.json'];

/** How long to wait for a build by another process. */
const otherBuildTimeoutMs = 5 * 60_000;
const lookAgainMs = 100;
/** SQLITE_BUSY: another process has the lock. */
const sqliteBusy = 5;

const output = join(root, 'out');
const stamp = join(output, '.built-from');
const lockFolder = join(root, 'node_modules', '.cache');

/**
 * Builds `out/` unless it is up to date with the sources. Prints only to standard error.
 *
 * Of two concurrent calls only one builds and the other waits. An interrupted build leaves no stamp, so the next start builds again.
 */
export async function buildIfStale(): Promise<void> {
  if (isFresh()) return;
  refuseUnwritable();
  using _lock = await waitForBuildLock();
  if (!isFresh()) await buildAndStamp();
}

/** Builds `out/` even if it is up to date. */
export async function build(): Promise<void> {
  using _lock = await waitForBuildLock();
  await buildAndStamp();
}

/** Makes `out/` stale, before its files change. */
export function discardBuild(): void {
  rmSync(stamp, { force: true });
}

async function buildAndStamp() {
  console.error('Building…');
  discardBuild();
  const sources = fingerprint();
  const child = spawn(process.execPath, [electronVite, 'build', '--logLevel', 'warn'], { cwd: root, stdio: ['ignore', 2, 2] });
  const [code] = await once(child, 'exit');
  if (code !== 0) throw new Error('The build failed. See its output above.');
  writeFileSync(stamp, sources);
}

function isFresh(): boolean {
  return existsSync(stamp) && readFileSync(stamp, 'utf8') === fingerprint();
}

/**
 * A hash of all sources and their names, which also detects deleted and restored files. Times don't count: a build that is copied with its
 * sources, as into a container, keeps neither their fractions nor its path. Reading them takes some 20 ms.
 */
function fingerprint(): string {
  const hash = createHash('sha256');
  const source = readdirSync(join(root, 'src'), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !/\.test\.tsx?$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
  for (const path of [...source, ...configurations.map((name) => join(root, name))]) {
    const bytes = readFileSync(path);
    hash.update(`${relative(root, path)}\0${bytes.length}\0`).update(bytes);
  }
  return hash.digest('hex');
}

/** @throws if this user can't write the files that a build changes, instead of failing in the middle of it */
function refuseUnwritable(): void {
  for (const folder of [output, lockFolder]) {
    let existing = folder;
    while (!existsSync(existing)) existing = dirname(existing);
    try {
      accessSync(existing, constants.W_OK);
    } catch (cause) {
      const why = existsSync(stamp) ? 'The build is older than the sources' : "Tallylight isn't built yet";
      const todo = 'Run "npm run build" as its owner, where it can.';
      throw new Error(`${why}, and ${existing} can't be written here. ${todo}`, { cause });
    }
  }
}

/** Uses SQLite's file lock: the system releases it however the process ends. */
async function waitForBuildLock(): Promise<Disposable> {
  mkdirSync(lockFolder, { recursive: true });
  const database = new DatabaseSync(join(lockFolder, 'tallylight-build.lock'), { timeout: 0 });
  const giveUpAtMs = performance.now() + otherBuildTimeoutMs;
  for (let isTold = false; !hasLocked(database); isTold = true) {
    if (performance.now() > giveUpAtMs) throw new Error('Another build has been running for 5 minutes. End it, and try again.');
    if (!isTold) console.error('Waiting for another build…');
    await sleep(lookAgainMs);
  }
  return { [Symbol.dispose]: () => database.close() };
}

/** Locks it; false if another process has the lock. */
function hasLocked(database: DatabaseSync): boolean {
  try {
    database.exec('PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE');
    return true;
  } catch (error) {
    if ((error as { errcode?: number }).errcode === sqliteBusy) return false;
    throw error;
  }
}
