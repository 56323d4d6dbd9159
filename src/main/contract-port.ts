import { type BrowserWindow, type IpcMainEvent, ipcMain, MessageChannelMain } from 'electron';
import type { ContractRouter } from '../service/handlers/router.ts';
import { runHarmlessly } from '../service/lib/faults.ts';
import type { Logger } from '../service/ports.ts';
import { contractPortMessage } from '../shared/contract-port.ts';
import { findOrigin } from './app-url.ts';
import { serveContract } from './serve-contract.ts';

/**
 * Gives the contract to `window`'s own page: a new `MessagePort` each time the page loads, closing the previous one.
 *
 * Only the top frame of that window gets one, and only while it shows a page of `ownOrigin`. Other requests get no answer and
 * are logged.
 *
 * @returns ends it: no more ports, and the last one closed.
 */
export function offerContractPort(options: {
  window: BrowserWindow;
  ownOrigin: string;
  router: ContractRouter;
  log: Logger;
}): () => void {
  const { window, ownOrigin, router, log } = options;
  let closePort = () => {};

  const onAsked = (event: IpcMainEvent) => {
    const frame = event.senderFrame;
    const isOwn = event.sender === window.webContents && frame?.parent === null && findOrigin(frame.origin) === ownOrigin;
    if (!isOwn) {
      log.warn({ origin: frame?.origin }, 'Refused the contract to a frame that is not ours');
      return;
    }
    closePort();
    const { port1, port2 } = new MessageChannelMain();
    closePort = serveContract(router, port1, (error) => log.warn({ err: error }, 'The page sent an unreadable message'));
    // Throws if the frame has gone.
    runHarmlessly(() => frame.postMessage(contractPortMessage, null, [port2]), 'handing the contract to the page');
  };

  ipcMain.on(contractPortMessage, onAsked);
  return () => {
    ipcMain.off(contractPortMessage, onAsked);
    closePort();
  };
}
