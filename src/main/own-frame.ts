import type { WebFrameMain } from 'electron';
import { findOrigin } from './app-url.ts';

/** Whether the sender of a message is the top frame of a window, and shows a page of ours. */
export function isOwnTopFrame(frame: WebFrameMain | null, ownOrigin: string): frame is WebFrameMain {
  return frame?.parent === null && findOrigin(frame.origin) === ownOrigin;
}
