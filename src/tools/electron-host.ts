import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { hasDesktop } from './desktop.ts';
import { getElectronBinary } from './electron-download.ts';
import { endWithin } from './end-within.ts';
import { root } from './paths.ts';

/** The result of opening the desktop app. */
export type ElectronRun = { kind: 'ended'; exitCode: number } | { kind: 'unavailable'; reason: string };

/** An Electron that fails this soon never opened its window: a library is missing, or the display rejected it. */
const startTimeoutMs = 8_000;

/** Opens the desktop app and waits for its end, or returns why it cannot. Aborting `signal` closes it. */
export async function runElectron(signal: AbortSignal): Promise<ElectronRun> {
  if (!hasDesktop()) return { kind: 'unavailable', reason: 'there is no display for a window' };
  if (process.platform === 'linux' && process.getuid?.() === 0) {
    return { kind: 'unavailable', reason: 'Electron does not run as root' };
  }
  const binary = await getElectronBinary(signal);
  if (binary.kind === 'missing') return { kind: 'unavailable', reason: `Electron is not available: ${binary.reason}` };

  const startedAtMs = Date.now();
  // A window's program doesn't get the Ctrl-C of Windows' consoles: it ends when the channel closes.
  const channel = process.platform === 'win32' ? (['ipc'] as const) : [];
  try {
    // `spawn` throws or emits an error, depending on why the system can't start it.
    const child = spawn(binary.path, [root], { stdio: ['ignore', 'inherit', 'inherit', ...channel] });
    const ended = once(child, 'exit');
    signal.addEventListener('abort', () => endWithin(child), { once: true });
    const [code] = await ended;
    const failedAtOnce = code !== 0 && !signal.aborted && Date.now() - startedAtMs < startTimeoutMs;
    if (failedAtOnce) return { kind: 'unavailable', reason: 'Electron does not start here' };
    return { kind: 'ended', exitCode: code ?? 1 };
  } catch {
    return { kind: 'unavailable', reason: 'Electron does not start here' };
  }
}
