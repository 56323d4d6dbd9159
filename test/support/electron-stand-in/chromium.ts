import { createRequire } from 'node:module';
import type { BrowserContext, CDPSession } from 'playwright-core';
import { launchChromiumProfile } from '../chromium.ts';

/** Version of the Electron whose type declarations the stand-in follows. */
export const electronVersion: string = createRequire(import.meta.url)('electron/package.json').version;

/** The one Chromium of this app. */
export interface RunningChromium {
  context: BrowserContext;
  userAgent: string;
  /** Hears of windows a page opened by a link; none of them lives to load anything. */
  close(): Promise<void>;
}

/** Starts Chromium on the app's profile folder, with Electron's user agent. */
export async function startChromium(userDataFolder: string): Promise<RunningChromium> {
  // Any free port: the test finds it in the profile folder's file DevToolsActivePort.
  const context = await launchChromiumProfile(userDataFolder, {
    args: ['--remote-debugging-port=0'],
    // What a signal does is for the app to say.
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

/** Closes each window that a page opens, before it has loaded anything. */
async function refuseOpenedWindows(root: CDPSession): Promise<void> {
  root.on('Target.attachedToTarget', ({ sessionId, targetInfo: { targetId, openerId } }) => {
    const answer = openerId
      ? root.send('Target.closeTarget', { targetId })
      : // Not by a page but by us: goes on.
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
