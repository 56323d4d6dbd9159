import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { onEndSignals } from '../service/lib/end-signals.ts';
import { discardBuild } from './build-if-stale.ts';
import { getElectronBinary } from './electron-download.ts';
import { endWithin } from './end-within.ts';
import { exitWithReason } from './exit-with-reason.ts';
import { electronVite, root } from './paths.ts';

/** Runs the desktop app with live reload; returns the exit code. electron-vite doesn't download Electron itself. */
async function dev(signal: AbortSignal): Promise<number> {
  const electron = await getElectronBinary(signal);
  if (electron.kind === 'missing') throw new Error(`Electron is not available: ${electron.reason}.`);
  discardBuild();
  const child = spawn(process.execPath, [electronVite, 'dev', ...process.argv.slice(2)], {
    cwd: root,
    stdio: 'inherit',
    env: { ...process.env, ELECTRON_EXEC_PATH: electron.path },
  });
  signal.addEventListener('abort', () => endWithin(child), { once: true });
  const [code] = await once(child, 'exit');
  return code ?? 1;
}

const ending = new AbortController();
onEndSignals(process, () => ending.abort());
process.exit(await dev(ending.signal).catch(exitWithReason));
