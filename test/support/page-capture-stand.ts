import type { CapturePageHost } from '../../src/service/page-capture/capture-page-host.ts';
import { PageCaptures } from '../../src/service/page-capture/page-captures.ts';
import type { PageDevice } from '../../src/shared/model/page-capture.ts';

export const camera = { of: 'camera' } as const;
export const screen = { of: 'screen', withSound: true } as const;
/** The devices in the report of a page that sees none. */
export const noDevices = { devices: [] };

/** The captures of pages, with a clock, broadcasts and a desktop app that the test decides. */
export class PageCaptureStand {
  nowMs = 0;
  /** The captures that broadcasts use. */
  broadcast = new Set<string>();
  /** What was asked of the app's window, in order. */
  hostSaw: unknown[] = [];
  /** The app's screens and windows. */
  screens: PageDevice[] | 'refused' = [];
  /** Whether the service can't capture screens itself. */
  needsScreens = true;

  readonly #host: CapturePageHost = {
    picker: 'list',
    hasSystemSound: true,
    open: () => this.hostSaw.push('open'),
    close: () => this.hostSaw.push('close'),
    letChoose: (captureId, order) => this.hostSaw.push({ captureId, ...order }),
    listScreens: async () => this.screens,
    onGiveUp: () => () => {},
  };

  readonly captures = new PageCaptures({
    clock: { monotonicMs: () => this.nowMs },
    host: this.#host,
    inUse: () => this.broadcast,
    needsScreens: () => this.needsScreens,
  });

  /** The states of a place's captures, in order. */
  states(place: string) {
    return this.captures.at(place).captures.map(({ state }) => state);
  }
}
