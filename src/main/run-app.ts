import { join } from 'node:path';
import { createRouterClient } from '@orpc/server';
import { app, type BrowserWindow, protocol, session } from 'electron';
import { describeCloseFailure } from '../service/lib/close-failure.ts';
import { runHarmlessly } from '../service/lib/faults.ts';
import { crashOnFaults, createProcessEnd, type ProcessEnd, type ProcessEndCause } from '../service/lib/process-end.ts';
import { createSystemClock } from '../service/lib/system-clock.ts';
import { version } from '../service/lib/version.ts';
import type { Logger, SecretsLocation } from '../service/ports.ts';
import { openMemorySecretStore } from '../service/secrets/memory-secret-store.ts';
import { openSecretStore } from '../service/secrets/secrets-location.ts';
import { type RunningService, startService } from '../service/service.ts';
import { contentSecurityPolicy } from '../shared/content-security-policy.ts';
import { answerAppRequest } from './app-protocol.ts';
import { appOrigin, appScheme, findOrigin } from './app-url.ts';
import { type CaptureWindow, createCaptureWindow } from './capture-window.ts';
import { logChildEnds } from './child-ends.ts';
import { askBeforeLeaving, type Leaving } from './closing-question.ts';
import { answerContractRequests, type OfferContract } from './contract-port.ts';
import { reloadAfterCrash } from './crash-reload.ts';
import { createDeviceRefusal } from './device-permission.ts';
import { askWhileHanging } from './hang-question.ts';
import { createKeepAwake } from './keep-awake.ts';
import { askToGoOnWithoutKey } from './keychain-question.ts';
import { sayCrashed } from './last-words.ts';
import { setMenu } from './menu.ts';
import { watchOnAir } from './on-air.ts';
import { onSystemEnd } from './on-system-end.ts';
import { confinePages, limitPermissions } from './security.ts';
import { onSleepSignal } from './sleep-signals.ts';
import { formatStartFailure, startFailurePath, startFailureStyles } from './start-failure.ts';
import { startWithSecrets } from './start-with-secrets.ts';
import { openWindow } from './window.ts';
import { bringToFront, flashOnRequest, showOnRequest } from './window-front.ts';

/** The app's options. Folders and files are absolute paths. */
interface AppOptions {
  dataFolder: string;
  logFolder: string;
  /** The built page. */
  pageFolder: string;
  preloadPath: string;
  iconPath: string;
  /** The page's address during development, instead of `pageFolder`. */
  developmentUrl: string | undefined;
  /** The location of the master key. */
  secrets: SecretsLocation;
  log: Logger;
}

/** Runs the app from start to quit: the service in this process, and its one window. */
export function runApp(options: AppOptions): void {
  const run = new AppRun(options);
  app.on('second-instance', () => run.comeForward());
  app.on('window-all-closed', () => app.quit());
  app.on('will-quit', (event) => {
    event.preventDefault();
    run.end();
  });
}

/** One run of the app, from its start, which the constructor begins, to the end of the process. */
class AppRun {
  readonly #options: AppOptions;
  readonly #ownUrl: string;
  readonly #ownOrigin: string;
  readonly #devTools: boolean;
  readonly #isDeviceRefused = createDeviceRefusal(process.platform);
  /** The text of pages and styles that no file has, by path. */
  readonly #madePages = new Map([[startFailureStyles.path, startFailureStyles.text]]);
  /** The parts to close at the end, latest first; if one fails to close, the others are still closed. */
  readonly #opened = new AsyncDisposableStack();
  readonly #ending: ProcessEnd;
  readonly #started: Promise<void>;
  #window: BrowserWindow | undefined;
  /** A window opens in front: until it has been shown, there is nothing to do. */
  #hasShownWindow = false;
  #service: RunningService | undefined;
  #offerContract: OfferContract | undefined;
  #leaving: Leaving | undefined;
  #exitCode = 0;
  #closeCause: ProcessEndCause | undefined;
  #startsAgain = false;
  /** Ends the process, once everything is closed. */
  #leave: (() => void) | undefined;

  constructor(options: AppOptions) {
    const { log, developmentUrl } = options;
    this.#options = options;
    this.#ownUrl = developmentUrl ?? `${appOrigin}/`;
    this.#ownOrigin = findOrigin(this.#ownUrl) ?? appOrigin;
    this.#devTools = developmentUrl !== undefined;
    this.#ending = createProcessEnd({
      close: (cause) => this.#close(cause),
      report: (error, what) => log.fatal({ err: describeCloseFailure(error) }, what),
      exit: (code) => this.#exit(code),
    });
    crashOnFaults(process, this.#ending);
    logChildEnds(log);
    this.#started = this.#start().catch((error: unknown) => {
      log.fatal({ err: error }, 'Failed to start the app');
      this.#exitCode = 1;
      app.quit();
    });
  }

  /** Brings the window to the front; while everything closes, the app starts again afterwards. */
  comeForward(): void {
    if (this.#closeCause !== undefined || this.#window?.isDestroyed()) {
      // Closing takes seconds at most, and the other process has already left it to this one.
      this.#startsAgain = true;
      // Once everything is closed, only a message box may still be waiting.
      this.#leave?.();
      return;
    }
    if (this.#window !== undefined && this.#hasShownWindow) bringToFront(this.#window);
  }

  /** Closes everything, then ends the process. */
  end(): void {
    this.#ending.end(this.#exitCode);
  }

  async #start(): Promise<void> {
    await app.whenReady();
    const systemEnd = onSystemEnd(() => {
      this.#leave?.();
      this.#leaving?.letClose();
      app.quit();
    });
    setMenu({ platform: process.platform, devTools: this.#devTools, reload: () => this.#reload() });
    const captureWindow = this.#openPages();
    const window = this.#openWindow();
    systemEnd.watch(window);
    const reloadIfCrashed = reloadAfterCrash(window, this.#options.log);
    askWhileHanging(window, this.#options.log);
    const service = await this.#openService(window, captureWindow);
    if (service !== undefined) await this.#serve(service, window, { captureWindow, reloadIfCrashed });
  }

  /** Lets our pages load, and confines them. Returns the hidden window of the page that captures. */
  #openPages(): CaptureWindow {
    const { pageFolder, preloadPath, log } = this.#options;
    const captureWindow = createCaptureWindow({
      url: new URL('/capture.html', this.#ownUrl).href,
      preloadPath,
      devTools: this.#devTools,
      session: session.defaultSession,
      areScreensRefused: () => this.#isDeviceRefused?.('screen') === true,
      offerContract: (to) => this.#offerContract?.(to) ?? (() => {}),
      log,
    });
    limitPermissions(session.defaultSession, { ownOrigin: this.#ownOrigin, isCapturePage: captureWindow.isOwn });
    confinePages(this.#ownOrigin, log);
    protocol.handle(appScheme, (request) =>
      answerAppRequest(request, {
        folder: pageFolder,
        policy: () => contentSecurityPolicy(serviceOrigins(this.#service)),
        made: this.#madePages,
      }),
    );
    return captureWindow;
  }

  #openWindow(): BrowserWindow {
    const { dataFolder, preloadPath, iconPath, log } = this.#options;
    const window = openWindow({
      preloadPath,
      iconPath,
      statePath: join(dataFolder, 'window.json'),
      devTools: this.#devTools,
      log,
    });
    this.#window = window;
    window.once('show', () => {
      this.#hasShownWindow = true;
    });
    showOnRequest(window, this.#ownOrigin);
    flashOnRequest(window, this.#ownOrigin);
    return window;
  }

  /** Opens the service; undefined if it can't start, which the window then shows, or if the user declines to start without the key. */
  async #openService(window: BrowserWindow, capturePage: CaptureWindow): Promise<RunningService | undefined> {
    const { dataFolder, logFolder, secrets: location, log } = this.#options;
    const lent = { clock: createSystemClock(), log, capturePage, onSleepSignal, isDeviceRefused: this.#isDeviceRefused };
    try {
      this.#service = await startWithSecrets({
        start: (secrets, newKey) => startService({ dataFolder, host: '127.0.0.1', version, newKey }, { ...lent, secrets }, {}),
        secrets: openSecretStore(location),
        memory: openMemorySecretStore(),
        goOnWithout: (missing) => askToGoOnWithoutKey(window, missing),
      });
    } catch (error) {
      log.fatal({ err: error }, 'Failed to start the service');
      this.#exitCode = 1;
      this.#madePages.set(startFailurePath, formatStartFailure(error, logFolder));
      await showPage(window, `${appOrigin}${startFailurePath}`, log);
      return undefined;
    }
    if (this.#service === undefined) app.quit();
    return this.#service;
  }

  /** Connects the pages and the system to the service, and shows the app. */
  async #serve(
    service: RunningService,
    window: BrowserWindow,
    { captureWindow, reloadIfCrashed }: { captureWindow: CaptureWindow; reloadIfCrashed: () => void },
  ): Promise<void> {
    const { log } = this.#options;
    this.#opened.defer(() => service.close(this.#closeCause));
    this.#offerContract = answerContractRequests({ ownOrigin: this.#ownOrigin, router: service.router, log });
    if (window.isDestroyed()) return;
    // A hidden window alone would keep the app from quitting.
    window.once('closed', () => captureWindow.end());
    const keepAwake = createKeepAwake();
    this.#opened.defer(() => keepAwake.close());
    const client = createRouterClient(service.router);
    const onAir = watchOnAir((signal) => client.stream.watchAll(undefined, { signal }), {
      onChange: (names) => keepAwake.set({ isOnAir: names.length > 0, showsDisplay: service.showsDisplay() }),
      onFailure: (error) => log.error({ err: error }, 'Cannot tell which streams are on air'),
    });
    this.#opened.defer(() => onAir.close());
    this.#leaving = askBeforeLeaving(window, { onAirNames: onAir.names, onKept: reloadIfCrashed });
    this.#opened.defer(this.#offerContract(window));
    await showPage(window, this.#ownUrl, log);
  }

  #reload(): void {
    if (this.#window === undefined || this.#window.isDestroyed()) return;
    if (this.#leaving === undefined) this.#window.webContents.reload();
    else this.#leaving.reload();
  }

  async #close(cause: ProcessEndCause): Promise<void> {
    this.#closeCause = cause;
    // Broadcasts end now, whether or not the window stays for a while.
    this.#leaving?.letClose();
    await this.#started;
    await this.#opened.disposeAsync();
  }

  #exit(code: number): void {
    const leave = () => {
      if (this.#startsAgain) app.relaunch();
      app.exit(code);
    };
    this.#leave = leave;
    // After an intended end, nobody needs a message.
    if (!this.#closeCause?.hasCrashed) leave();
    else runHarmlessly(() => sayCrashed(this.#options.logFolder).then(leave), 'saying that the app has crashed');
  }
}

/**
 * Loads one of our pages. If the page crashes or is reloaded before it has loaded, the app continues, since broadcasts may already be on
 * air and the page is loaded again. The window is shown even then: hidden, it could neither be closed nor ask anything.
 */
async function showPage(window: BrowserWindow, url: string, log: Logger): Promise<void> {
  try {
    await window.loadURL(url);
  } catch (error) {
    if (window.isDestroyed()) return;
    log.error({ err: error }, 'The page could not be loaded');
    window.show();
  }
}

/** The origins besides their own that pages load playlists and media from, and send captures to. */
function serviceOrigins(service: RunningService | undefined): string[] {
  if (service === undefined) return [];
  const own = findOrigin(service.info().localPlaybackBaseUrl);
  return [...(own === undefined ? [] : [own, own.replace(/^http/, 'ws')]), ...service.remoteMediaOrigins()];
}
