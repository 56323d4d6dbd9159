import { EventEmitter } from 'node:events';
import { readFileSync } from 'node:fs';
import type * as Electron from 'electron';
import type { CDPSession, Page } from 'playwright-core';
import { app } from './app.ts';
import { ipcMain } from './ipc-main.ts';
import { guardMedia } from './media-guard.ts';
import type { MessagePortMain } from './message-port-main.ts';
import { bridgePage, type PageBridge } from './page-bridge.ts';
import { preventable } from './preventable.ts';
import { answerRequest, ownSchemesPattern, toAppUrl, toChromiumUrl } from './protocol.ts';
import { session } from './session.ts';

type WindowOpenHandler = Parameters<Electron.WebContents['setWindowOpenHandler']>[0];
type RequestPaused = Parameters<Parameters<CDPSession['on']>[1]>[0] & {
  requestId: string;
  resourceType: string;
  frameId: string;
  request: { url: string; method: string; headers: Record<string, string>; postData?: string };
};

/** Function in the page's own world that replaces `window.open`. */
const openName = 'electronStandInOpen';

let lastId = 0;

/** Electron's `webContents`: a page of the real Chromium; the app decides on its navigation, windows and permissions. */
export class WebContents extends EventEmitter {
  readonly id = ++lastId;
  /** The page's top frame, which is only compared. */
  readonly mainFrame = {} as Electron.WebFrameMain;
  readonly #page: Promise<Page>;
  #cdp: CDPSession | undefined;
  #bridge: PageBridge | undefined;
  #mainFrameId: string | undefined;
  #openHandler: WindowOpenHandler = () => ({ action: 'allow' });
  /** The URL that `loadURL` is loading: the app's own navigation needs no permission. */
  #loading: string | undefined;
  #isCrashed = false;

  constructor(preloadPath: string | undefined) {
    super();
    this.#page = this.#open(preloadPath);
    // As in Electron, the app is notified before it can have used it.
    app.emit('web-contents-created', preventable(), this);
  }

  async #open(preloadPath: string | undefined): Promise<Page> {
    const { context, userAgent } = app.chromium;
    const page =
      context.pages().find((existing) => existing.url() === 'about:blank' && claim(existing)) ?? (await context.newPage());
    claim(page);
    const cdp = await context.newCDPSession(page);
    this.#cdp = cdp;
    page.on('crash', () => {
      this.#isCrashed = true;
      this.#bridge?.closePorts();
      this.emit('render-process-gone', preventable(), { reason: 'crashed', exitCode: 1 });
    });
    page.once('close', () => {
      this.#bridge?.closePorts();
      this.emit('destroyed');
    });
    await cdp.send('Page.enable');
    cdp.on('Page.frameNavigated', ({ frame }) => {
      if (frame.parentId === undefined) this.emit('did-navigate', preventable(), toAppUrl(frame.url));
    });
    this.#mainFrameId = (await cdp.send('Page.getFrameTree')).frameTree.frame.id;
    await cdp.send('Emulation.setUserAgentOverride', { userAgent });
    await this.#watchNavigation(cdp);
    await this.#watchOpenedWindows(cdp);
    await guardMedia(cdp, (question) =>
      session.defaultSession.mayCapture(this as unknown as Electron.WebContents, { ...question, url: toAppUrl(question.url) }),
    );
    const preload = preloadPath === undefined ? '' : readFileSync(preloadPath, 'utf8');
    this.#bridge = await bridgePage(cdp, preload, (url, channel, args) => this.#onSend(url, channel, args));
    return page;
  }

  async #watchNavigation(cdp: CDPSession) {
    cdp.on('Fetch.requestPaused', (event) => void this.#onRequest(cdp, event as unknown as RequestPaused).catch(() => {}));
    await cdp.send('Fetch.enable', { patterns: [{ urlPattern: ownSchemesPattern }, { resourceType: 'Document' }] });
  }

  async #onRequest(cdp: CDPSession, { requestId, resourceType, frameId, request }: RequestPaused) {
    const url = toAppUrl(request.url);
    if (resourceType === 'Document') {
      if (this.#refusesNavigation(url, frameId === this.#mainFrameId)) {
        await cdp.send('Fetch.failRequest', { requestId, errorReason: 'Aborted' });
        return;
      }
      const contents = this as unknown as Electron.WebContents;
      await session.defaultSession.applyPermissions(cdp, contents, url, new URL(request.url).origin);
    }
    if (url === request.url) {
      await cdp.send('Fetch.continueRequest', { requestId });
      return;
    }
    const { method, headers, postData } = request;
    const answer = await answerRequest(url, { method, headers, ...(postData === undefined ? {} : { body: postData }) });
    if (answer === undefined) {
      await cdp.send('Fetch.failRequest', { requestId, errorReason: 'AddressUnreachable' });
      return;
    }
    await cdp.send('Fetch.fulfillRequest', {
      requestId,
      responseCode: answer.status,
      responseHeaders: [...answer.headers].map(([name, value]) => ({ name, value })),
      body: Buffer.from(await answer.arrayBuffer()).toString('base64'),
    });
  }

  #refusesNavigation(url: string, isMainFrame: boolean): boolean {
    if (isMainFrame && url === this.#loading) {
      this.#loading = undefined;
      return false;
    }
    const event = preventable({ url, isMainFrame, isSameDocument: false });
    this.emit('will-frame-navigate', event);
    if (isMainFrame) this.emit('will-navigate', event, url);
    return event.defaultPrevented;
  }

  async #watchOpenedWindows(cdp: CDPSession) {
    const source = `window.open = (url = 'about:blank') => { ${openName}(new URL(url, location.href).href); return null; };`;
    await cdp.send('Runtime.addBinding', { name: openName });
    await cdp.send('Page.addScriptToEvaluateOnNewDocument', { source });
    cdp.on('Runtime.bindingCalled', ({ name, payload }) => {
      if (name === openName) this.#askToOpen(payload);
    });
    // A link with a target: Chromium opens a window, which is closed before it loads anything.
    cdp.on('Page.windowOpen', ({ url }) => this.#askToOpen(url));
  }

  #askToOpen(url: string) {
    const { action } = this.#openHandler({
      url: toAppUrl(url),
      frameName: '',
      features: '',
      disposition: 'new-window',
    } as Electron.HandlerDetails);
    if (action !== 'deny') throw new Error('The stand-in opens no windows for pages');
  }

  #onSend(url: string, channel: string, args: unknown[]) {
    const appUrl = toAppUrl(url);
    const { protocol, host } = new URL(appUrl);
    const senderFrame = {
      url: appUrl,
      origin: `${protocol}//${host}`,
      parent: null,
      postMessage: (name: string, message: unknown, ports: MessagePortMain[] = []) => this.#bridge?.post(name, message, ports),
    };
    ipcMain.emit(channel, { ...preventable(), sender: this, senderFrame, ports: [] }, ...args);
  }

  setWindowOpenHandler(handler: WindowOpenHandler): void {
    this.#openHandler = handler;
  }

  /** Loads `url` and resolves once loaded; unlike navigation by the page, asks no handler. */
  async loadURL(url: string): Promise<void> {
    const page = await this.#page;
    this.#loading = url;
    await page.goto(toChromiumUrl(url), { waitUntil: 'load' });
    this.emit('did-finish-load');
  }

  /**
   * Whether the page prevents its unload: it does once touched, unless the app overrides it. Nobody is asked.
   * Not part of Electron.
   */
  async preventsUnload(): Promise<boolean> {
    if (this.#isCrashed || this.#cdp === undefined) return false;
    const asks = `navigator.userActivation.hasBeenActive && !dispatchEvent(new Event('beforeunload', { cancelable: true }))`;
    const { result } = await this.#cdp.send('Runtime.evaluate', { expression: asks }).catch(() => ({ result: undefined }));
    if (result?.value !== true) return false;
    const event = preventable();
    this.emit('will-prevent-unload', event);
    return !event.defaultPrevented;
  }

  reload(): void {
    void this.#reload().catch(() => {});
  }

  /** The page decides, unless the app overrides it. */
  async #reload() {
    if (await this.preventsUnload()) return;
    this.#isCrashed = false;
    await this.#cdp?.send('Page.reload');
  }

  forcefullyCrashRenderer(): void {
    // A crashing page gives no answer.
    void this.#cdp?.send('Page.crash').catch(() => {});
  }

  async executeJavaScript(code: string, userGesture = false): Promise<unknown> {
    await this.#page;
    const answer = await this.#cdp?.send('Runtime.evaluate', {
      expression: code,
      userGesture,
      awaitPromise: true,
      returnByValue: true,
    });
    if (answer?.exceptionDetails) throw new Error(answer.exceptionDetails.text);
    return answer?.result.value;
  }

  /** Resizes the page's contents; not part of Electron. */
  async setContentSize(size: { width: number; height: number }): Promise<void> {
    await (await this.#page).setViewportSize(size);
  }

  /** Closes the page; not part of Electron. */
  async destroy(): Promise<void> {
    await (await this.#page).close();
  }
}

const claimed = new WeakSet<Page>();

/** Claims a page for a window of the app; false when another window has it. */
function claim(page: Page): boolean {
  const free = !claimed.has(page);
  claimed.add(page);
  return free;
}

WebContents.prototype satisfies Pick<
  Electron.WebContents,
  'id' | 'mainFrame' | 'loadURL' | 'reload' | 'forcefullyCrashRenderer' | 'setWindowOpenHandler' | 'executeJavaScript'
>;
