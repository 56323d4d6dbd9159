import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import type * as Electron from 'electron';
import { _electron, type Page } from 'playwright-core';
import { hasDesktop } from '../../src/tools/desktop.ts';
import { findInstalledElectron } from '../../src/tools/electron-download.ts';
import { endWithin } from '../../src/tools/end-within.ts';
import { standInCommand, startStandIn } from './stand-in-host.ts';

/** The repository's root: its package.json names the built main process. */
const root = fileURLToPath(new URL('../..', import.meta.url));

/** A test function that runs in the app's main process, with Electron. It is sent as text, so it must not use anything from outside. */
export type InMain<Result, Argument> = (electron: typeof Electron, argument: Argument) => Result | Promise<Result>;

/** The built app, running. */
export interface ElectronHost {
  pid: number;
  /** The process's stderr so far. */
  stderr(): string;
  /** The page of the app's window, once it exists. */
  window(): Promise<Page>;
  inMain<Result, Argument = undefined>(run: InMain<Result, Argument>, argument?: Argument): Promise<Result>;
  signal(signal: NodeJS.Signals): void;
  /** The exit code of the process. */
  exited: Promise<number | null>;
  /** Kills the process if it still runs. */
  [Symbol.asyncDispose](): Promise<void>;
}

/** The app's runtime: real Electron if its binary and a display are found, else the stand-in. */
export const electronBinary: string | undefined = hasDesktop() ? findInstalledElectron() : undefined;

/** Starts the built app with `env` added to the environment. */
export async function startElectronHost(env: Record<string, string>): Promise<ElectronHost> {
  const environment = { ...(process.env as Record<string, string>), ...env };
  return electronBinary === undefined ? startStandIn(builtMain(), environment) : startElectron(electronBinary, environment);
}

/** Runs the built app until it exits by itself. As `npm start` does, it has a channel to the app; it `leaves` by closing it at once. */
export async function runElectronHost(
  env: Record<string, string>,
  { leaves = false } = {},
): Promise<{ code: number | null; stderr: string }> {
  const [command, args] = electronBinary === undefined ? standInCommand(builtMain()) : [electronBinary, electronArgs()];
  const child = spawn(command, args, {
    cwd: root,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  });
  const exited = once(child, 'exit');
  if (leaves) child.disconnect();
  const [stderr, [code]] = await Promise.all([text(child.stderr as Readable), exited]);
  return { code, stderr };
}

function builtMain(): string {
  const main = fileURLToPath(new URL('../../out/main/index.js', import.meta.url));
  if (!existsSync(main)) throw new Error('The app is not built: npm run build');
  return main;
}

function electronArgs(): string[] {
  // Chromium's own sandbox doesn't run as root.
  return process.getuid?.() === 0 ? ['--no-sandbox', '.'] : ['.'];
}

async function startElectron(executablePath: string, env: Record<string, string>): Promise<ElectronHost> {
  const electron = await _electron.launch({ executablePath, args: electronArgs(), cwd: root, env });
  const child = electron.process();
  let stderr = '';
  child.stderr?.on('data', (chunk) => {
    stderr += chunk;
  });
  const exited = once(child, 'exit').then(([code]) => code as number | null);
  return {
    pid: child.pid as number,
    stderr: () => stderr,
    window: () => electron.firstWindow(),
    inMain: (run, argument) => electron.evaluate(run as never, argument as never),
    signal: (signal) => void child.kill(signal),
    exited,
    [Symbol.asyncDispose]: async () => {
      endWithin(child);
      await exited;
    },
  };
}
