/**
 * The messages by which the page asks for something to be done with its window: it posts one to its own window, and the desktop app's
 * preload passes it on to the main process, on the IPC channel of this name. In a browser they do nothing.
 */
export const windowMessages = ['tallylight:show-window', 'tallylight:flash-window', 'tallylight:calm-window'] as const;

/** They bring the window to the front, flash it unless it is in front, and stop that. */
export const [showWindowMessage, flashWindowMessage, calmWindowMessage] = windowMessages;
