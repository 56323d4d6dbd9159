import { EventEmitter } from 'node:events';
import type * as Electron from 'electron';
import { app, openWindows } from './app.ts';
import { screen } from './desktop.ts';
import { preventable } from './preventable.ts';
import { WebContents } from './web-contents.ts';

/**
 * The frame that an X11 window manager draws around a window. Electron sets positions of the frame there, and reports positions of
 * its contents.
 */
const frame = { left: 1, top: 28 };

/** Electron's `BrowserWindow`: its page is real, its bounds on the desktop are only numbers. */
export class BrowserWindow extends EventEmitter {
  readonly webContents: WebContents;
  /** Position of the frame, size of the contents. */
  #bounds: Electron.Rectangle;
  readonly #minimum: { width: number; height: number };
  #maximized = false;
  #minimized = false;
  #visible: boolean;
  #focused = false;
  #destroyed = false;

  constructor(options: Electron.BrowserWindowConstructorOptions = {}) {
    super();
    const { sandbox, contextIsolation, nodeIntegration, preload } = options.webPreferences ?? {};
    if (sandbox === false || contextIsolation === false || nodeIntegration) {
      throw new Error('The stand-in has only sandboxed windows with context isolation and without Node');
    }
    const { workArea } = screen.getPrimaryDisplay();
    const { width = 800, height = 600 } = options;
    const { x = Math.round((workArea.width - width) / 2), y = Math.round((workArea.height - height) / 2) } = options;
    this.#minimum = { width: options.minWidth ?? 0, height: options.minHeight ?? 0 };
    this.#bounds = { x, y, width, height };
    this.#visible = options.show ?? true;
    this.webContents = new WebContents(preload);
    this.webContents.once('did-finish-load', () => this.emit('ready-to-show'));
    this.webContents.once('destroyed', () => this.#onDestroyed());
    openWindows.add(this);
    this.#applySize();
  }

  static getAllWindows(): BrowserWindow[] {
    return [...openWindows] as BrowserWindow[];
  }

  loadURL(url: string): Promise<void> {
    return this.webContents.loadURL(url);
  }

  getBounds(): Electron.Rectangle {
    return this.#maximized ? { ...screen.getPrimaryDisplay().workArea } : this.getNormalBounds();
  }

  getNormalBounds(): Electron.Rectangle {
    const { x, y, ...size } = this.#bounds;
    return { x: x + frame.left, y: y + frame.top, ...size };
  }

  setBounds(bounds: Partial<Electron.Rectangle>): void {
    const wanted = { ...this.#bounds, ...bounds };
    const width = Math.max(wanted.width, this.#minimum.width);
    const height = Math.max(wanted.height, this.#minimum.height);
    this.#bounds = { ...wanted, width, height };
    this.#applySize();
  }

  /** As in Electron, a hidden window is shown. */
  maximize(): void {
    this.#maximized = true;
    this.#applySize();
    if (this.#visible) return;
    this.#visible = true;
    this.emit('show');
  }

  isMaximized(): boolean {
    return this.#maximized;
  }

  minimize(): void {
    this.#minimized = true;
    this.#focused = false;
  }

  isMinimized(): boolean {
    return this.#minimized;
  }

  restore(): void {
    this.#minimized = false;
  }

  show(): void {
    this.#visible = true;
    this.focus();
    this.emit('show');
  }

  isVisible(): boolean {
    return this.#visible;
  }

  focus(): void {
    this.#focused = this.#visible && !this.#minimized;
  }

  blur(): void {
    this.#focused = false;
  }

  isFocused(): boolean {
    return this.#focused;
  }

  flashFrame(): void {}

  setBackgroundColor(): void {}

  close(): void {
    if (this.#destroyed) return;
    const event = preventable();
    try {
      this.emit('close', event);
    } catch (error) {
      // Electron calls listeners from outside JavaScript: nobody catches what they throw, and the window closes.
      queueMicrotask(() => {
        throw error;
      });
    }
    if (event.defaultPrevented) app.windowStays();
    else void this.#closePage();
  }

  /** The page decides, unless the app overrides it. */
  async #closePage() {
    if (await this.webContents.preventsUnload()) app.windowStays();
    else this.destroy();
  }

  destroy(): void {
    void this.webContents.destroy().catch(() => {});
    this.#onDestroyed();
  }

  isDestroyed(): boolean {
    return this.#destroyed;
  }

  #onDestroyed() {
    if (this.#destroyed) return;
    this.#destroyed = true;
    openWindows.delete(this);
    this.emit('closed');
    if (openWindows.size === 0) app.windowsClosed();
  }

  #applySize() {
    const { width, height } = this.getBounds();
    void this.webContents.setContentSize({ width, height }).catch(() => {});
  }
}

BrowserWindow.prototype satisfies Pick<
  Electron.BrowserWindow,
  | 'loadURL'
  | 'getBounds'
  | 'getNormalBounds'
  | 'setBounds'
  | 'maximize'
  | 'isMaximized'
  | 'minimize'
  | 'isMinimized'
  | 'restore'
  | 'show'
  | 'isVisible'
  | 'focus'
  | 'blur'
  | 'isFocused'
  | 'flashFrame'
  | 'setBackgroundColor'
  | 'close'
  | 'destroy'
  | 'isDestroyed'
>;
