import { BrowserWindow, type Session, type WebContents } from 'electron';
import { createEventSource } from '../service/lib/event-source.ts';
import { runHarmlessly } from '../service/lib/faults.ts';
import type { CapturePageHost } from '../service/page-capture/capture-page-host.ts';
import type { Logger } from '../service/ports.ts';
import { chooseEvent } from '../shared/choose-event.ts';
import { confinedPage } from './confined-page.ts';
import { reloadAfterCrash } from './crash-reload.ts';
import { findScreenPicker, hasSystemSound, listAllowedScreens, listScreens } from './screen-picker.ts';
import { answerScreenRequests } from './screen-requests.ts';

/** The app's capture window, with the service's calls to it. */
export interface CaptureWindow extends CapturePageHost {
  /** Whether a page is this window's. Only that page may use cameras, microphones and screens. */
  isOwn(contents: WebContents | null): boolean;
  /** Closes it, and keeps it closed: the main window is gone. */
  end(): void;
}

/**
 * The window that captures: never shown, and apart from the screens' window, so that a reload there doesn't end a capture. It opens with
 * the first capture and closes with the last.
 *
 * @param options.areScreensRefused whether the system refuses screens to us.
 * @param options.offerContract gives a window's page the contract; returns the undo.
 */
export function createCaptureWindow(options: {
  url: string;
  preloadPath: string;
  devTools: boolean;
  session: Session;
  areScreensRefused: () => boolean;
  offerContract: (window: BrowserWindow) => () => void;
  log: Logger;
}): CaptureWindow {
  const { url, preloadPath, devTools, session, areScreensRefused, offerContract, log } = options;
  const picker = findScreenPicker(process);
  const withSound = hasSystemSound(process.platform);
  const gaveUp = createEventSource<undefined>();
  let window: BrowserWindow | undefined;
  let hasEnded = false;
  const screens = answerScreenRequests({
    session,
    picker,
    hasSystemSound: withSound,
    isOwn: (frame) => frame !== null && frame === window?.webContents.mainFrame,
    listScreens,
    areScreensRefused,
    log,
  });

  const open = () => {
    if (window !== undefined || hasEnded) return;
    const opened = new BrowserWindow({
      title: 'Tallylight capture',
      show: false,
      skipTaskbar: true,
      webPreferences: {
        ...confinedPage({ preloadPath, devTools }),
        // A hidden page's timers would run once a second, or once a minute.
        backgroundThrottling: false,
        // Resampled sound needs an audio context, which must start without a user's gesture.
        autoplayPolicy: 'no-user-gesture-required',
      },
    });
    window = opened;
    const undo = offerContract(opened);
    reloadAfterCrash(opened, log, () => {
      opened.destroy();
      gaveUp.emit(undefined);
    });
    // A quit closes every window, even while the main window still asks whether to quit; this window must close after it.
    opened.on('close', (event) => event.preventDefault());
    opened.once('closed', () => {
      undo();
      if (window === opened) window = undefined;
    });
    opened.loadURL(url).catch((error: unknown) => {
      if (!opened.isDestroyed()) log.error({ err: error }, 'The capture window could not load its page');
    });
  };

  const close = () => window?.destroy();

  return {
    picker,
    hasSystemSound: withSound,
    open,
    onGiveUp: (listener) => gaveUp.on(listener),
    close,
    end() {
      hasEnded = true;
      close();
    },
    letChoose(captureId, order) {
      screens.expect(captureId, order);
      const detail = JSON.stringify(captureId);
      runHarmlessly(
        () =>
          window?.webContents.executeJavaScript(
            `dispatchEvent(new CustomEvent('${chooseEvent}', { detail: ${detail} }))`,
            true,
          ),
        'letting the capture page ask for a screen',
      );
    },
    listScreens: () => listAllowedScreens(areScreensRefused),
    isOwn: (contents) => contents !== null && contents === window?.webContents,
  };
}
