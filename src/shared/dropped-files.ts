/**
 * The `kind` of the message that tells the page the paths of files dropped onto the window: `{ kind, paths }`. Only the desktop
 * app's preload knows paths; a browser tells nobody where a file is.
 */
export const droppedFilesMessage = 'tallylight:dropped-files';
