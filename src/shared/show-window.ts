/**
 * The message by which the page asks for its window to be brought to the front: it posts it to its own window, and the desktop app's
 * preload passes it on to the main process, on the IPC channel of this name.
 */
export const showWindowMessage = 'tallylight:show-window';
