import { type BrowserWindow, type IpcMainEvent, ipcMain, MessageChannelMain } from 'electron';
import type { ContractRouter } from '../service/handlers/router.ts';
import { runHarmlessly } from '../service/lib/faults.ts';
import type { Logger } from '../service/ports.ts';
import { contractPortMessage } from '../shared/contract-port.ts';
import { findOrigin } from './app-url.ts';
import { serveContract } from './serve-contract.ts';

/**
 * Gives the contract to `window`'s own page: a `MessagePort`, made anew each time the page loads, the one before it closed.
 *
 * Only the top frame of that window gets one, and only while it shows a page of `ownOrigin`; another that asks is left without
 * an answer, and the log says so.
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
      log.warn({ origin: frame?.origin }, 'A frame that is not ours asked for the contract; it got nothing');
      return;
    }
    closePort();
    const { port1, port2 } = new MessageChannelMain();
    closePort = serveContract(router, port1, (error) =>
      log.warn({ err: error }, 'The page sent a message that cannot be read'),
    );
    // A frame that has gone meanwhile throws.
    runHarmlessly(() => frame.postMessage(contractPortMessage, null, [port2]), 'handing the contract to the page');
  };

  ipcMain.on(contractPortMessage, onAsked);
  return () => {
    ipcMain.off(contractPortMessage, onAsked);
    closePort();
  };
}
