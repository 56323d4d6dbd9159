import { type BrowserWindow, type IpcMainEvent, ipcMain, MessageChannelMain, type WebContents } from 'electron';
import type { ContractRouter } from '../service/handlers/router.ts';
import { runHarmlessly } from '../service/lib/faults.ts';
import type { Logger } from '../service/ports.ts';
import { contractPortMessage } from '../shared/contract-port.ts';
import { isOwnTopFrame } from './own-frame.ts';
import { serveContract } from './serve-contract.ts';

/** Gives the contract to a window's page; returns the undo, which gives out no more ports and closes the last one. */
export type OfferContract = (window: BrowserWindow) => () => void;

/**
 * Answers the pages that ask for the contract: a new `MessagePort` each time one loads, closing the previous one.
 *
 * Only the top frame of a window with the contract gets one, and only while it shows a page of `ownOrigin`. Other requests get no answer
 * and are logged. Call it once: a second listener would refuse the pages of the first.
 */
export function answerContractRequests({
  ownOrigin,
  router,
  log,
}: {
  ownOrigin: string;
  router: ContractRouter;
  log: Logger;
}): OfferContract {
  /** Closes the last port of each page that may have one. */
  const pages = new Map<WebContents, () => void>();

  const onAsked = ({ sender, senderFrame: frame }: IpcMainEvent) => {
    const closeLast = pages.get(sender);
    if (closeLast === undefined || !isOwnTopFrame(frame, ownOrigin)) {
      log.warn({ origin: frame?.origin }, 'Refused the contract to a frame that is not ours');
      return;
    }
    closeLast();
    const { port1, port2 } = new MessageChannelMain();
    pages.set(
      sender,
      serveContract(router, port1, (error) => log.warn({ err: error }, 'The page sent an unreadable message')),
    );
    // Throws if the frame has gone.
    runHarmlessly(() => frame.postMessage(contractPortMessage, null, [port2]), 'handing the contract to the page');
  };
  ipcMain.on(contractPortMessage, onAsked);

  return ({ webContents }) => {
    pages.set(webContents, () => {});
    return () => {
      pages.get(webContents)?.();
      pages.delete(webContents);
    };
  };
}
