/**
 * The one word between main process, preload and page for the contract's `MessagePort`.
 *
 * The preload asks the main process for a port on the IPC channel of this name and gets it there; it posts the port to its own
 * page as a `message` event with this `data` and the port in `ports`.
 */
export const contractPortMessage = 'tallylight:contract-port';
