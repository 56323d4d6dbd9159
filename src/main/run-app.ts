import { join } from 'node:path';
import { app, type BrowserWindow, protocol, session } from 'electron';
import { version } from '../service/lib/version.ts';
import type { HostPorts, Logger } from '../service/ports.ts';
import { openMemorySecretStore } from '../service/secrets/memory-secret-store.ts';
import { openOsSecretStore } from '../service/secrets/os-secret-store.ts';
import { type RunningService, startService } from '../service/service.ts';
import { contentSecurityPolicy } from '../shared/content-security-policy.ts';
import { answerAppRequest } from './app-protocol.ts';
import { appOrigin, appScheme, findOrigin } from './app-url.ts';
import { askBeforeClosing } from './closing-question.ts';
import { offerContractPort } from './contract-port.ts';
import { askToGoOnWithoutKeychain } from './keychain-question.ts';
import { setMenu } from './menu.ts';
import { watchOnAir } from './on-air.ts';
import { confinePages, limitPermissions } from './security.ts';
import { formatStartFailure, startFailurePath, startFailureStyles } from './start-failure.ts';
import { startWithSecrets } from './start-with-secrets.ts';
import { openWindow } from './window.ts';

/** All of it must be over in under 5 s, so that quitting never hangs. */
const closeTimeoutMs = 4_500;

/** What the app is run with. Folders and files are absolute paths. */
interface AppOptions {
  dataFolder: string;
  logFolder: string;
  /** The built page. */
  pageFolder: string;
  preloadPath: string;
  iconPath: string;
  /** Where the page comes from while developing, instead of `pageFolder`. */
  developmentUrl: string | undefined;
  inMemorySecrets: boolean;
  log: Logger;
  closeLog: () => void;
}

/** Runs the app from start to quit: the service in this process, and the one window that shows it. */
export function runApp(options: AppOptions): void {
  const { log, developmentUrl } = options;
  const devTools = developmentUrl !== undefined;
  const ownUrl = developmentUrl ?? `${appOrigin}/`;
  const ownOrigin = findOrigin(ownUrl) ?? appOrigin;
  const madePages = new Map([[startFailureStyles.path, startFailureStyles.text]]);
  /** What to undo at the end, the latest first. */
  const undo: (() => void | Promise<void>)[] = [options.closeLog];
  let window: BrowserWindow | undefined;
  let service: RunningService | undefined;
  let letClose = () => {};
  let exitCode = 0;
  let closing = false;

  const start = async () => {
    await app.whenReady();
    setMenu({ platform: process.platform, devTools });
    limitPermissions(session.defaultSession, ownOrigin);
    confinePages(ownOrigin, log);
    protocol.handle(appScheme, (request) =>
      answerAppRequest(request, {
        folder: options.pageFolder,
        policy: () => contentSecurityPolicy(serviceOrigins(service)),
        made: madePages,
      }),
    );
    const opened = openWindow({
      preloadPath: options.preloadPath,
      iconPath: options.iconPath,
      statePath: join(options.dataFolder, 'window.json'),
      devTools,
      onPageGone: (reason) => log.error({ reason }, 'The page has crashed and is loaded again; broadcasts go on'),
    });
    window = opened;
    try {
      service = await openService(options);
    } catch (error) {
      log.fatal({ err: error }, 'The service could not start');
      exitCode = 1;
      madePages.set(startFailurePath, formatStartFailure(error, options.logFolder));
      await showPage(opened, `${appOrigin}${startFailurePath}`);
      return;
    }
    if (service === undefined) {
      app.quit();
      return;
    }
    const running = service;
    undo.push(() => running.close());
    if (opened.isDestroyed()) return;
    const onAir = watchOnAir(running.router, (error) => log.error({ err: error }, 'Whether streams are on air is not known'));
    undo.push(() => onAir.close());
    letClose = askBeforeClosing(opened, onAir.names);
    undo.push(offerContractPort({ window: opened, ownOrigin, router: running.router, log }));
    await showPage(opened, ownUrl);
  };

  const closeAll = async () => {
    for (const step of undo.splice(0).reverse()) await step();
  };

  const started = start().catch((error: unknown) => {
    log.fatal({ err: error }, 'The app could not start');
    exitCode = 1;
    app.quit();
  });

  app.on('second-instance', () => {
    if (window?.isMinimized()) window.restore();
    window?.focus();
  });
  app.on('window-all-closed', () => app.quit());
  app.on('will-quit', (event) => {
    event.preventDefault();
    if (closing) return;
    closing = true;
    started.then(closeAll).then(
      () => app.exit(exitCode),
      (error: unknown) => {
        log.error({ err: error }, 'Not everything could be closed');
        app.exit(1);
      },
    );
    setTimeout(() => app.exit(1), closeTimeoutMs);
  });
  // Whoever ends the process from outside does not wait for an answer.
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.on(signal, () => {
      letClose();
      app.quit();
    });
  }
}

/** Loads a page of ours; a window that is closed meanwhile needs none. */
async function showPage(window: BrowserWindow, url: string): Promise<void> {
  try {
    await window.loadURL(url);
  } catch (error) {
    if (!window.isDestroyed()) throw error;
  }
}

async function openService({ dataFolder, inMemorySecrets, log }: AppOptions): Promise<RunningService | undefined> {
  const start = (secrets: HostPorts['secrets']) =>
    startService({ dataFolder, host: '127.0.0.1', version }, { secrets, clock: { now: () => Date.now() }, log }, {});
  const memory = openMemorySecretStore();
  return inMemorySecrets
    ? await start(memory)
    : await startWithSecrets({
        start,
        keychain: openOsSecretStore({ instead: '' }),
        memory,
        goOnWithout: askToGoOnWithoutKeychain,
      });
}

/** Where the page's playlists and media come from, which is another origin than the page's. */
function serviceOrigins(service: RunningService | undefined): string[] {
  const origin = service && findOrigin(service.info().localPlaybackBaseUrl);
  return origin === undefined ? [] : [origin];
}
