import { ipcRenderer, webUtils } from 'electron';
import { contractPortMessage } from '../shared/contract-port.ts';
import { droppedFilesMessage } from '../shared/dropped-files.ts';
import { windowMessages } from '../shared/window-messages.ts';

// For our own page only: `/` delivers only to a window of the same origin (HTML, window.postMessage).
ipcRenderer.on(contractPortMessage, (event) => {
  window.postMessage(contractPortMessage, '/', [...event.ports]);
});

// By now the page's scripts have run and are listening.
window.addEventListener('DOMContentLoaded', () => {
  ipcRenderer.send(contractPortMessage);
});

// From our own page only; the main process refuses other pages.
window.addEventListener('message', ({ source, data }) => {
  if (source === window && windowMessages.includes(data)) ipcRenderer.send(data);
});

// Only for files that the user drops: a page can't ask for others.
window.addEventListener('drop', ({ dataTransfer }) => {
  const paths = [...(dataTransfer?.files ?? [])].map((file) => webUtils.getPathForFile(file)).filter((path) => path !== '');
  if (paths.length > 0) window.postMessage({ kind: droppedFilesMessage, paths }, '/');
});
