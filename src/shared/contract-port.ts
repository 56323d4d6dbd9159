/**
 * The name that main process, preload and page use for the contract's `MessagePort`.
 *
 * The preload asks the main process for a port on the IPC channel of this name and receives it there. It then posts the port to
 * its own page as a `message` event with this `data` and the port in `ports`.
 */
export const contractPortMessage = 'tallylight:contract-port';
