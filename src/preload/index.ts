import { ipcRenderer } from 'electron';
import { contractPortMessage } from '../shared/contract-port.ts';

// Only for our own page: `/` delivers only to a window of the same origin (HTML, window.postMessage).
ipcRenderer.on(contractPortMessage, (event) => {
  window.postMessage(contractPortMessage, '/', [...event.ports]);
});

// By now the page's scripts have run and are listening.
window.addEventListener('DOMContentLoaded', () => {
  ipcRenderer.send(contractPortMessage);
});
