import { EventEmitter } from 'node:events';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type * as Electron from 'electron';
import { type RunningChromium, startChromium } from './chromium.ts';
import { preventable } from './preventable.ts';
import { takeSingleInstanceLock } from './single-instance.ts';
import { isPrepared } from './test-preparation.ts';

/** The part of a window that the app needs when it quits. */
interface ClosableWindow {
  close(): void;
}

/** All open windows, oldest first; BrowserWindow maintains it. */
export const openWindows = new Set<ClosableWindow>();

/** Electron's `app`: ready once Chromium has started and, if a test asked to prepare it, once that is done; quits as Electron does. */
class App extends EventEmitter {
  readonly isPackaged = false;
  #userData = join(tmpdir(), 'electron-stand-in');
  #ready = Promise.withResolvers<void>();
  #chromium: RunningChromium | undefined;
  #isReady = false;
  #quitting = false;
  #exiting = false;
  readonly #switches = new Map<string, string>();

  constructor() {
    super();
    // Electron becomes ready only after the app's main module has run.
    setImmediate(() => void this.#start());
  }

  async #start() {
    if (this.#exiting) return;
    this.#chromium = await startChromium(this.#userData);
    await isPrepared;
    this.#isReady = true;
    this.#takeSignals();
    this.#ready.resolve();
    this.emit('ready', preventable(), {});
  }

  /** When ready, Electron's own handlers replace the current ones; listeners added later take precedence over them. */
  #takeSignals() {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
      process.removeAllListeners(signal);
      process.on(signal, () => {
        if (process.listenerCount(signal) === 1) this.quit();
      });
    }
  }

  setAppUserModelId(): void {}

  /** The last value of a switch counts. Chromium has read them once the app is ready. */
  readonly commandLine = {
    appendSwitch: (name: string, value = '') => {
      if (this.#isReady) throw new Error(`Chromium doesn't read the switch ${name} any more`);
      this.#switches.set(name, value);
    },
    getSwitchValue: (name: string) => this.#switches.get(name) ?? '',
  } satisfies Pick<Electron.CommandLine, 'appendSwitch' | 'getSwitchValue'>;

  /** The app's Chromium; not part of Electron. */
  get chromium(): RunningChromium {
    if (this.#chromium === undefined) throw new Error('Cannot do this before the app is ready');
    return this.#chromium;
  }

  whenReady(): Promise<void> {
    return this.#ready.promise;
  }

  isReady(): boolean {
    return this.#isReady;
  }

  getPath(name: string): string {
    if (name !== 'userData') throw new Error(`The stand-in has no path '${name}'`);
    return this.#userData;
  }

  setPath(name: string, path: string): void {
    this.getPath(name);
    this.#userData = path;
  }

  requestSingleInstanceLock(): boolean {
    return takeSingleInstanceLock(this.#userData, (argv, folder) =>
      this.emit('second-instance', preventable(), argv, folder, {}),
    );
  }

  quit(): void {
    if (this.#quitting) return;
    const beforeQuit = preventable();
    this.emit('before-quit', beforeQuit);
    if (beforeQuit.defaultPrevented) return;
    this.#quitting = true;
    if (openWindows.size === 0) this.#endQuit();
    for (const window of openWindows) window.close();
  }

  /** A window refused to close, which cancels the quit; not part of Electron. */
  windowStays(): void {
    this.#quitting = false;
  }

  /** The last window has closed; not part of Electron. */
  windowsClosed(): void {
    if (this.#quitting) this.#endQuit();
    else if (this.listenerCount('window-all-closed') > 0) this.emit('window-all-closed');
    else this.quit();
  }

  #endQuit() {
    const willQuit = preventable();
    this.emit('will-quit', willQuit);
    if (willQuit.defaultPrevented) this.#quitting = false;
    else this.exit(0);
  }

  relaunch(): void {
    throw new Error('Nobody would end the app that starts: replace app.relaunch');
  }

  exit(code = 0): void {
    if (this.#exiting) return;
    this.#exiting = true;
    this.emit('quit', preventable(), code);
    const closed = this.#chromium?.close() ?? Promise.resolve();
    closed.finally(() => process.exit(code));
  }
}

/** Electron's `app`. */
export const app = new App();

app satisfies Pick<
  Electron.App,
  | 'isPackaged'
  | 'setAppUserModelId'
  | 'whenReady'
  | 'isReady'
  | 'requestSingleInstanceLock'
  | 'quit'
  | 'relaunch'
  | 'exit'
  | 'setPath'
  | 'getPath'
>;
