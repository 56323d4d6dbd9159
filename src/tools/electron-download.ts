import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { root } from './paths.ts';

const electronFolder = join(root, 'node_modules', 'electron');

/** A download that has not moved for this long is refused or blocked; a slow one moves. */
const stallTimeoutMs = 20_000;
const stallCheckMs = 500;

/** Electron's program, or why it cannot be had. */
export type ElectronBinary = { kind: 'found'; path: string } | { kind: 'missing'; reason: string };

/**
 * Electron's program: where `ELECTRON_OVERRIDE_DIST_PATH` says, or as the package electron downloads it at first use.
 *
 * @param signal breaks the download off.
 */
export async function getElectronBinary(signal: AbortSignal): Promise<ElectronBinary> {
  const installed = findInstalledElectron();
  if (installed) return { kind: 'found', path: installed };
  if (!existsSync(join(electronFolder, 'install.js')))
    return { kind: 'missing', reason: 'the package electron is not installed' };
  console.error('Downloading Electron, about 120 MB, the first time only…');
  const reason = await download(signal);
  const path = findInstalledElectron();
  return path && reason === undefined
    ? { kind: 'found', path }
    : { kind: 'missing', reason: reason ?? 'its download left no program' };
}

/**
 * Electron's program if it is there already, undefined otherwise: as node_modules/electron/index.js finds it, by the name
 * in path.txt, in dist/ or the folder named instead of it.
 */
export function findInstalledElectron(): string | undefined {
  const pathFile = join(electronFolder, 'path.txt');
  const name = existsSync(pathFile) ? readFileSync(pathFile, 'utf8') : undefined;
  const override = process.env.ELECTRON_OVERRIDE_DIST_PATH;
  if (!override && name === undefined) return undefined;
  const path = join(override || join(electronFolder, 'dist'), name ?? 'electron');
  return existsSync(path) ? path : undefined;
}

/** Runs the package's own installer until it ends or stands still; why it failed, or undefined. */
async function download(signal: AbortSignal): Promise<string | undefined> {
  const temporary = mkdtempSync(join(tmpdir(), 'tallylight-electron-'));
  const child = spawn(process.execPath, [join(electronFolder, 'install.js')], {
    // Its temporary files where their growth can be seen; NODE_USE_ENV_PROXY makes fetch heed HTTPS_PROXY (Node 24).
    env: { ...process.env, TMPDIR: temporary, TMP: temporary, TEMP: temporary, NODE_USE_ENV_PROXY: '1' },
    stdio: ['ignore', 'ignore', 'ignore'],
    signal,
    killSignal: 'SIGKILL',
  });
  let stalled = false;
  let last = { sizeBytes: 0, atMs: Date.now() };
  const watch = setInterval(() => {
    const sizeBytes = folderSizeBytes(temporary) + folderSizeBytes(join(electronFolder, 'dist'));
    if (sizeBytes !== last.sizeBytes) last = { sizeBytes, atMs: Date.now() };
    stalled = Date.now() - last.atMs > stallTimeoutMs;
    if (stalled) child.kill('SIGKILL');
  }, stallCheckMs);
  try {
    const [code] = await once(child, 'exit');
    if (stalled) return 'its download does not move';
    return code === 0 ? undefined : 'its download was refused';
  } catch (error) {
    if (!signal.aborted) throw error;
    return 'its download was broken off';
  } finally {
    clearInterval(watch);
    rmSync(temporary, { recursive: true, force: true });
  }
}

function folderSizeBytes(folder: string): number {
  if (!existsSync(folder)) return 0;
  let sum = 0;
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    if (entry.isFile()) sum += statSync(join(entry.parentPath, entry.name), { throwIfNoEntry: false })?.size ?? 0;
  }
  return sum;
}
