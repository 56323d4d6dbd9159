import { randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { ServiceError } from '../../shared/errors.ts';
import {
  appPlace,
  type CapturePageOrders,
  type CapturePageReport,
  type PageCapture,
  type PageCaptureOrder,
  type PageDevice,
  type PlaceCaptures,
  usesPicker,
} from '../../shared/model/page-capture.ts';
import { createEventSource, type EventSource } from '../lib/event-source.ts';
import { runHarmlessly } from '../lib/faults.ts';
import type { Clock } from '../ports.ts';
import type { CapturePageHost } from './capture-page-host.ts';
import { CapturePages } from './capture-pages.ts';
import { CaptureWindowKeeper } from './capture-window-keeper.ts';

/** How long a capture that no screen and no broadcast uses stays open: a reload takes less. */
const unusedMs = 15_000;
/** More than anyone opens; limits memory if a page orders again and again. */
const maxCaptures = 32;

interface PageCapturesOptions {
  clock: Pick<Clock, 'monotonicMs'>;
  host: CapturePageHost | undefined;
  /** The captures that broadcasts use. */
  inUse: () => ReadonlySet<string>;
  /** Whether only a page can capture this computer's screens or windows; then the app's page lists them. */
  needsScreens: () => boolean;
}

/**
 * The captures that pages make: the orders from Tallylight's screens, and the reports of the capture pages.
 *
 * Orders outlive the pages: a page that is reloaded or crashes opens its captures again. A capture that nobody uses is closed, and its
 * camera's light goes out.
 */
export class PageCaptures {
  readonly changes: EventSource<undefined> = createEventSource();
  readonly #options: PageCapturesOptions;
  readonly #captures = new Map<string, PageCapture>();
  /** The ids of opened cameras and microphones by capture, as their page calls them. */
  readonly #openedIds = new Map<string, string>();
  readonly #pages = new CapturePages();
  readonly #holds = new Set<readonly string[]>();
  readonly #usedAtMs = new Map<string, number>();
  /** The screens, as the app's window last listed them. */
  #screens: readonly PageDevice[] | 'refused' = [];
  /** The app's capture that is asking for a screen. */
  #choosing: string | undefined;
  readonly #window: CaptureWindowKeeper;

  constructor(options: PageCapturesOptions) {
    this.#options = options;
    this.#window = new CaptureWindowKeeper(options.clock, options.host);
  }

  /** The captures and devices of a place, and those of `captureIds` that another place captures. */
  at(place: string, captureIds: readonly string[] = []): PlaceCaptures {
    const { host } = this.#options;
    const isApp = place === appPlace && host !== undefined;
    const wanted = captureIds.flatMap((captureId) => this.#captures.get(captureId) ?? []);
    return {
      captures: this.#ofPlace(place),
      elsewhere: wanted.filter((capture) => capture.place !== place),
      devices: [
        ...(this.#pages.newestOf(place)?.devices ?? []),
        ...(isApp && this.#screens !== 'refused' ? this.#screens : []),
      ],
      ...(isApp && {
        app: {
          picker: host.picker,
          hasSystemSound: host.hasSystemSound,
          ...(this.#screens === 'refused' && { areScreensRefused: true }),
        },
      }),
    };
  }

  find(captureId: string): PageCapture | undefined {
    return this.#captures.get(captureId);
  }

  /**
   * Orders a capture, which a page of that place opens.
   *
   * @throws {ServiceError} UNAVAILABLE when too many are open
   */
  order(place: string, order: PageCaptureOrder): string {
    if (this.#captures.size >= maxCaptures) {
      // The app's pages are hidden.
      const remedy = place === appPlace ? 'Choose fewer sources first.' : 'Close a capture page.';
      throw new ServiceError('UNAVAILABLE', `Too many captures are open. ${remedy}`);
    }
    const captureId = randomUUID();
    this.#captures.set(captureId, { captureId, place, order, attempt: 1, state: { kind: 'waiting' } });
    this.#usedAtMs.set(captureId, this.#options.clock.monotonicMs());
    if (place === appPlace) this.#openWindow();
    this.changes.emit(undefined);
    return captureId;
  }

  /**
   * Opens a capture again after it has ended or couldn't be opened; if permission is needed, the user is asked again. If the order names no
   * device, it may be another one.
   */
  again(captureId: string): void {
    const capture = this.#captures.get(captureId);
    if (capture === undefined) return;
    this.#openedIds.delete(captureId);
    this.#captures.set(captureId, { ...capture, attempt: capture.attempt + 1, state: { kind: 'waiting' } });
    this.#letNextChoose();
    if (capture.place === appPlace) this.#openWindow();
    this.changes.emit(undefined);
  }

  /** Keeps captures open while a screen shows them; returns the undo. */
  hold(captureIds: readonly string[]): () => void {
    const hold = [...captureIds];
    this.#holds.add(hold);
    return () => {
      this.#countUses();
      this.#holds.delete(hold);
    };
  }

  /**
   * A capture page opens, and does the work of its place until it closes or a newer one opens; call the result when it closes. A page
   * that joins again, on a new connection, keeps its age.
   */
  join(place: string, pageId: string): () => void {
    const page = this.#pages.join(place, pageId);
    if (place === appPlace) this.#window.noteJoined();
    if (this.#pages.newestOf(place) === page) this.#lose(place, { kind: 'waiting' });
    this.changes.emit(undefined);
    return () => {
      const wasNewest = this.#pages.newestOf(place) === page;
      this.#pages.leave(place, page);
      if (!wasNewest) return;
      // The page opened before it takes over.
      this.#lose(place, { kind: 'waiting' });
      this.changes.emit(undefined);
    };
  }

  /** The captures that a page should keep open, each on the same device as before if a page there has opened it already. */
  ordersFor(place: string, pageId: string): CapturePageOrders {
    if (this.#pages.newestOf(place)?.pageId !== pageId) return { kind: 'replaced' };
    const captures = this.#ofPlace(place).map((capture) => {
      const deviceId = this.#openedIds.get(capture.captureId);
      return deviceId === undefined ? capture : { ...capture, order: { ...capture.order, deviceId } };
    });
    return { kind: 'works', captures };
  }

  /** Takes a capture page's report. */
  report(place: string, pageId: string, { devices, captures }: CapturePageReport): void {
    const page = this.#pages.find(place, pageId);
    if (page === undefined) return;
    page.devices = devices;
    if (page !== this.#pages.newestOf(place)) return;
    for (const { captureId, attempt, state } of captures) {
      const capture = this.#captures.get(captureId);
      if (capture?.place !== place || capture.attempt !== attempt) continue;
      this.#setState(captureId, state);
      const isUnnamed = capture.order.deviceId === undefined;
      if (isUnnamed && state.kind === 'open' && state.deviceId !== undefined) this.#openedIds.set(captureId, state.deviceId);
    }
    this.#letNextChoose();
    this.changes.emit(undefined);
  }

  /** The app's capture window kept crashing and was closed. It is opened again after a minute, or when the user asks. */
  giveUp(): void {
    this.#failWindow('crashing');
  }

  /**
   * Closes unused captures and a capture window that doesn't load, reopens a window that was given up or closed by something else, and
   * lists the app's screens again while somebody watches; call it every few seconds.
   */
  async tick(): Promise<void> {
    this.#closeUnused();
    this.#closeUnloaded();
    this.#reopenWindow();
    const { host, needsScreens } = this.#options;
    if (host?.picker !== 'list' || this.#holds.size === 0) return;
    const screens = needsScreens() ? await host.listScreens() : [];
    if (isDeepStrictEqual(screens, this.#screens)) return;
    this.#screens = screens;
    this.changes.emit(undefined);
  }

  #closeUnused(): void {
    this.#countUses();
    const { clock } = this.#options;
    const before = this.#captures.size;
    for (const [captureId, usedAtMs] of this.#usedAtMs) {
      if (clock.monotonicMs() - usedAtMs > unusedMs) this.#remove(captureId);
    }
    if (this.#captures.size === before) return;
    this.#letNextChoose();
    if (this.#ofPlace(appPlace).length === 0) this.#window.close();
    this.changes.emit(undefined);
  }

  #closeUnloaded(): void {
    if (!this.#window.isOverdue) return;
    this.#window.close();
    this.#failWindow('not-loaded');
  }

  #countUses(): void {
    const { clock, inUse } = this.#options;
    for (const captureId of [...[...this.#holds].flat(), ...inUse()]) {
      if (this.#captures.has(captureId)) this.#usedAtMs.set(captureId, clock.monotonicMs());
    }
  }

  #remove(captureId: string): void {
    this.#captures.delete(captureId);
    this.#openedIds.delete(captureId);
    this.#usedAtMs.delete(captureId);
  }

  #ofPlace(place: string): PageCapture[] {
    return [...this.#captures.values()].filter((capture) => capture.place === place);
  }

  /** Gives a place's captures this state until a page there reports; captures that the user ended stay ended. */
  #lose(place: string, state: PageCapture['state']): void {
    for (const capture of this.#ofPlace(place)) {
      if (capture.state.kind !== 'ended') this.#setState(capture.captureId, state);
    }
    this.#letNextChoose();
  }

  #openWindow(): void {
    this.#window.open(this.#pages.newestOf(appPlace) !== undefined);
  }

  /** The capture window is closed, and nothing is captured until it is opened again. */
  #failWindow(code: 'crashing' | 'not-loaded'): void {
    this.#window.noteGivenUp();
    this.#pages.leaveAll(appPlace);
    this.#lose(appPlace, { kind: 'failed', failure: { code } });
    this.changes.emit(undefined);
  }

  /** For captures without a page. */
  #reopenWindow(): void {
    if (this.#ofPlace(appPlace).length === 0 || this.#pages.newestOf(appPlace) !== undefined) return;
    if (this.#window.mayReopen) this.#openWindow();
  }

  #setState(captureId: string, state: PageCapture['state']): void {
    const capture = this.#captures.get(captureId);
    if (capture === undefined) return;
    this.#captures.set(captureId, { ...capture, state });
  }

  /** Lets the app's next capture ask for its screen once the previous one has its answer; a reloaded page asks for all at once. */
  #letNextChoose(): void {
    const waiting = this.#ofPlace(appPlace).filter(({ order, state }) => state.kind === 'asking' && usesPicker(order));
    if (waiting.some(({ captureId }) => captureId === this.#choosing)) return;
    const [next] = waiting;
    this.#choosing = next?.captureId;
    if (next !== undefined)
      runHarmlessly(() => this.#options.host?.letChoose(next.captureId, next.order), 'letting a screen be chosen');
  }
}
