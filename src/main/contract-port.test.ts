import { EventEmitter } from 'node:events';
import type { BrowserWindow } from 'electron';
import { expect, onTestFinished, test, vi } from 'vitest';
import { createTestLog } from '../../test/support/store-stand.ts';
import { contractPortMessage } from '../shared/contract-port.ts';

class Port extends EventEmitter {
  isClosed = false;

  start(): void {}

  close(): void {
    this.isClosed = true;
  }
}

const ipcMain = new EventEmitter();
/** Our end of every channel, in the order in which they were made. */
const made: Port[] = [];
vi.mock('electron', () => ({
  ipcMain,
  MessageChannelMain: class {
    port1 = new Port();
    port2 = {};
    constructor() {
      made.push(this.port1);
    }
  },
}));
const { answerContractRequests } = await import('./contract-port.ts');

const ownOrigin = 'tallylight://app';

/** Two windows that may have the contract, and one that may not. */
function openStand() {
  const { log, lines } = createTestLog();
  made.length = 0;
  const offer = answerContractRequests({ ownOrigin, router: {} as never, log });
  onTestFinished(() => void ipcMain.removeAllListeners());
  const makeWindow = () => ({ webContents: {} }) as BrowserWindow;
  const [screens, capture, foreign] = [makeWindow(), makeWindow(), makeWindow()];
  const endScreens = offer(screens);
  offer(capture);
  /** Asks as the preload does with each load; returns whether the page got a port. */
  const ask = ({ webContents: sender }: BrowserWindow, { origin = ownOrigin, parent = null as object | null } = {}) => {
    const postMessage = vi.fn();
    ipcMain.emit(contractPortMessage, { sender, senderFrame: { parent, origin, postMessage } });
    return postMessage.mock.calls.length === 1;
  };
  const refusals = () => lines.map(({ msg, origin }) => [msg, origin]);
  const open = () => made.map(({ isClosed }) => !isClosed);
  return { screens, capture, foreign, endScreens, ask, refusals, open };
}

test("each window's page gets the contract with each load, and nobody is refused it", () => {
  const { screens, capture, endScreens, ask, refusals, open } = openStand();
  expect([ask(screens), ask(capture), ask(screens)]).toEqual([true, true, true]);
  expect(open()).toEqual([false, true, true]);
  endScreens();
  expect(open()).toEqual([false, true, false]);
  expect(refusals()).toEqual([]);
  expect(ask(screens)).toBe(false);
});

test('another window, another frame and another origin are refused, with one line each', () => {
  const { screens, foreign, ask, refusals, open } = openStand();
  expect([ask(foreign), ask(screens, { parent: {} }), ask(screens, { origin: 'https://example.com' })]).toEqual([
    false,
    false,
    false,
  ]);
  const message = 'Refused the contract to a frame that is not ours';
  expect(refusals()).toEqual([
    [message, ownOrigin],
    [message, ownOrigin],
    [message, 'https://example.com'],
  ]);
  expect(open()).toEqual([]);
});
