import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { killChild } from '../service/lib/kill-child.ts';
import { sentenceOf } from '../service/lib/read-error.ts';
import { root } from './paths.ts';

const electronFolder = join(root, 'node_modules', 'electron');

/** A download without progress for this long is refused or blocked; a slow one still progresses. */
const stallTimeoutMs = 20_000;
const stallCheckMs = 500;

/** Electron's program, or why it is missing. */
export type ElectronBinary = { kind: 'found'; path: string } | { kind: 'missing'; reason: string };

/**
 * Electron's program: at `ELECTRON_OVERRIDE_DIST_PATH`, or downloaded by the electron package at first use.
 *
 * @param signal cancels the download
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
    : { kind: 'missing', reason: reason ?? 'its download contains no program' };
}

/**
 * Electron's program if it is installed, else undefined. Looks where node_modules/electron/index.js does: the name in path.txt, in
 * dist/ or the folder that overrides it.
 */
export function findInstalledElectron(): string | undefined {
  const pathFile = join(electronFolder, 'path.txt');
  const name = existsSync(pathFile) ? readFileSync(pathFile, 'utf8') : undefined;
  const override = process.env.ELECTRON_OVERRIDE_DIST_PATH;
  if (!override && name === undefined) return undefined;
  const path = join(override || join(electronFolder, 'dist'), name ?? 'electron');
  return existsSync(path) ? path : undefined;
}

/** Runs the package's installer until it ends or stalls; returns why it failed, or undefined. */
async function download(signal: AbortSignal): Promise<string | undefined> {
  let temporary: string;
  try {
    temporary = mkdtempSync(join(tmpdir(), 'tallylight-electron-'));
  } catch (error) {
    return `the temporary folder ${tmpdir()} can't be used: ${sentenceOf(error)}`;
  }
  const child = spawn(process.execPath, [join(electronFolder, 'install.js')], {
    // Use a temporary folder whose growth can be watched. NODE_USE_ENV_PROXY makes fetch use HTTPS_PROXY (Node 24).
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
    if (stalled) killChild(child, 'SIGKILL');
  }, stallCheckMs);
  try {
    const [code] = await once(child, 'exit');
    if (stalled) return 'its download has stalled';
    return code === 0 ? undefined : 'its download was refused';
  } catch (error) {
    if (!signal.aborted) throw error;
    return 'its download was cancelled';
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
