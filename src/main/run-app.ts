import { join } from 'node:path';
import { createRouterClient } from '@orpc/server';
import { app, type BrowserWindow, protocol, session } from 'electron';
import { describeCloseFailure } from '../service/lib/close-failure.ts';
import { runHarmlessly } from '../service/lib/faults.ts';
import { crashOnFaults, createProcessEnd, type ProcessEndCause } from '../service/lib/process-end.ts';
import { createSystemClock } from '../service/lib/system-clock.ts';
import { version } from '../service/lib/version.ts';
import type { HostPorts, Logger, SecretStore, SecretsLocation } from '../service/ports.ts';
import { openMemorySecretStore } from '../service/secrets/memory-secret-store.ts';
import { openSecretStore } from '../service/secrets/secrets-location.ts';
import { type RunningService, startService } from '../service/service.ts';
import { contentSecurityPolicy } from '../shared/content-security-policy.ts';
import { answerAppRequest } from './app-protocol.ts';
import { appOrigin, appScheme, findOrigin } from './app-url.ts';
import { createCaptureWindow } from './capture-window.ts';
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
  const { log, developmentUrl } = options;
  const devTools = developmentUrl !== undefined;
  const ownUrl = developmentUrl ?? `${appOrigin}/`;
  const ownOrigin = findOrigin(ownUrl) ?? appOrigin;
  const madePages = new Map([[startFailureStyles.path, startFailureStyles.text]]);
  /** The parts to close at the end, latest first; if one fails to close, the others are still closed. */
  const opened = new AsyncDisposableStack();
  let window: BrowserWindow | undefined;
  let service: RunningService | undefined;
  let offerContract: OfferContract | undefined;
  let leaving: Leaving | undefined;
  /** Brings the window to the front. Does nothing before the window is shown, since it opens in front. */
  let comeForward = () => {};
  let exitCode = 0;
  let closeCause: ProcessEndCause | undefined;
  let startsAgain = false;
  /** Ends the process, once everything is closed. */
  let leave: (() => void) | undefined;

  const ending = createProcessEnd({
    close: async (cause) => {
      closeCause = cause;
      // Broadcasts end now, whether or not the window stays for a while.
      leaving?.letClose();
      await started;
      await opened.disposeAsync();
    },
    report: (error, what) => log.fatal({ err: describeCloseFailure(error) }, what),
    exit: (code) => {
      const end = () => {
        if (startsAgain) app.relaunch();
        app.exit(code);
      };
      leave = end;
      // After an intended end, nobody needs a message.
      if (!closeCause?.hasCrashed) return end();
      runHarmlessly(() => sayCrashed(options.logFolder).then(end), 'saying that the app has crashed');
    },
  });
  crashOnFaults(process, ending);
  logChildEnds(log);

  const reload = () => {
    if (window === undefined || window.isDestroyed()) return;
    if (leaving === undefined) window.webContents.reload();
    else leaving.reload();
  };

  const start = async () => {
    await app.whenReady();
    const systemEnd = onSystemEnd(() => {
      leave?.();
      leaving?.letClose();
      app.quit();
    });
    setMenu({ platform: process.platform, devTools, reload });
    const isDeviceRefused = createDeviceRefusal(process.platform);
    const captureWindow = createCaptureWindow({
      url: new URL('/capture.html', ownUrl).href,
      preloadPath: options.preloadPath,
      devTools,
      session: session.defaultSession,
      areScreensRefused: () => isDeviceRefused?.('screen') === true,
      offerContract: (to) => offerContract?.(to) ?? (() => {}),
      log,
    });
    limitPermissions(session.defaultSession, { ownOrigin, isCapturePage: captureWindow.isOwn });
    confinePages(ownOrigin, log);
    protocol.handle(appScheme, (request) =>
      answerAppRequest(request, {
        folder: options.pageFolder,
        policy: () => contentSecurityPolicy(serviceOrigins(service)),
        made: madePages,
      }),
    );
    const appWindow = openWindow({
      preloadPath: options.preloadPath,
      iconPath: options.iconPath,
      statePath: join(options.dataFolder, 'window.json'),
      devTools,
      log,
    });
    window = appWindow;
    appWindow.once('show', () => {
      comeForward = () => bringToFront(appWindow);
    });
    showOnRequest(appWindow, ownOrigin);
    flashOnRequest(appWindow, ownOrigin);
    systemEnd.watch(appWindow);
    const reloadIfCrashed = reloadAfterCrash(appWindow, log);
    askWhileHanging(appWindow, log);
    try {
      service = await openService(options, appWindow, { capturePage: captureWindow, isDeviceRefused });
    } catch (error) {
      log.fatal({ err: error }, 'Failed to start the service');
      exitCode = 1;
      madePages.set(startFailurePath, formatStartFailure(error, options.logFolder));
      await showPage(appWindow, `${appOrigin}${startFailurePath}`, log);
      return;
    }
    if (service === undefined) {
      app.quit();
      return;
    }
    const running = service;
    opened.defer(() => running.close(closeCause));
    offerContract = answerContractRequests({ ownOrigin, router: running.router, log });
    if (appWindow.isDestroyed()) return;
    // A hidden window alone would keep the app from quitting.
    appWindow.once('closed', () => captureWindow.end());
    const keepAwake = createKeepAwake();
    opened.defer(() => keepAwake.close());
    const client = createRouterClient(running.router);
    const onAir = watchOnAir((signal) => client.stream.watchAll(undefined, { signal }), {
      onChange: (names) => keepAwake.set({ isOnAir: names.length > 0, showsDisplay: running.showsDisplay() }),
      onFailure: (error) => log.error({ err: error }, 'Cannot tell which streams are on air'),
    });
    opened.defer(() => onAir.close());
    leaving = askBeforeLeaving(appWindow, { onAirNames: onAir.names, onKept: reloadIfCrashed });
    opened.defer(offerContract(appWindow));
    await showPage(appWindow, ownUrl, log);
  };

  const started = start().catch((error: unknown) => {
    log.fatal({ err: error }, 'Failed to start the app');
    exitCode = 1;
    app.quit();
  });

  app.on('second-instance', () => {
    if (closeCause !== undefined || window?.isDestroyed()) {
      // Closing takes seconds at most, and the other process has already left it to this one.
      startsAgain = true;
      // Once everything is closed, only a message box may still be waiting.
      leave?.();
      return;
    }
    comeForward();
  });
  app.on('window-all-closed', () => app.quit());
  app.on('will-quit', (event) => {
    event.preventDefault();
    ending.end(exitCode);
  });
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

async function openService(
  { dataFolder, secrets: location, log }: AppOptions,
  window: BrowserWindow,
  lent: Pick<HostPorts, 'capturePage' | 'isDeviceRefused'>,
): Promise<RunningService | undefined> {
  const start = (secrets: SecretStore, newKey: boolean) =>
    startService(
      { dataFolder, host: '127.0.0.1', version, newKey },
      { secrets, clock: createSystemClock(), log, onSleepSignal, ...lent },
      {},
    );
  return startWithSecrets({
    start,
    secrets: openSecretStore(location),
    memory: openMemorySecretStore(),
    goOnWithout: (failure) => askToGoOnWithoutKey(window, failure),
  });
}

/** The origins besides their own that pages load playlists and media from, and send captures to. */
function serviceOrigins(service: RunningService | undefined): string[] {
  if (service === undefined) return [];
  const own = findOrigin(service.info().localPlaybackBaseUrl);
  return [...(own === undefined ? [] : [own, own.replace(/^http/, 'ws')]), ...service.remoteMediaOrigins()];
}
