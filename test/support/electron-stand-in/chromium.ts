import { createRequire } from 'node:module';
import type { BrowserContext, CDPSession } from 'playwright-core';
import { fakeMedia, launchChromiumProfile } from '../chromium.ts';

/** Version of the Electron whose type declarations the stand-in follows. */
const electronVersion: string = createRequire(import.meta.url)('electron/package.json').version;

/** The app's only Chromium. */
export interface RunningChromium {
  context: BrowserContext;
  userAgent: string;
  /** Called for windows that a page opens by a link; each is closed before it loads anything. */
  close(): Promise<void>;
}

/** Starts Chromium on the app's profile folder, with Electron's user agent. */
export async function startChromium(userDataFolder: string): Promise<RunningChromium> {
  // Any free port: the test reads it from DevToolsActivePort in the profile folder.
  const context = await launchChromiumProfile(userDataFolder, {
    // Nor is there a camera, a microphone or a screen: Chromium plays them, and the app's handlers answer instead of the user.
    args: ['--remote-debugging-port=0', ...fakeMedia],
    // The app decides what a signal does.
    endsWithSignals: false,
  });
  const browser = context.browser();
  if (browser === null) throw new Error('Chromium has closed');
  const root = await browser.newBrowserCDPSession();
  await refuseOpenedWindows(root);
  const { userAgent } = await root.send('Browser.getVersion');
  return {
    context,
    userAgent: userAgent.replace('HeadlessChrome', 'Chrome').replace(' Safari/', ` Electron/${electronVersion} Safari/`),
    close: () => context.close(),
  };
}

/** Closes each window that a page opens before it loads anything. */
async function refuseOpenedWindows(root: CDPSession): Promise<void> {
  root.on('Target.attachedToTarget', ({ sessionId, targetInfo: { targetId, openerId } }) => {
    const answer = openerId
      ? root.send('Target.closeTarget', { targetId })
      : // Opened by us, not by a page: let it continue.
        root.send('Target.detachFromTarget', { sessionId });
    answer.catch(() => {});
  });
  await root.send('Target.setAutoAttach', {
    autoAttach: true,
    waitForDebuggerOnStart: true,
    flatten: true,
    filter: [{ type: 'page' }],
  });
}
