import { ipcRenderer } from 'electron';
import { contractPortMessage } from '../shared/contract-port.ts';

// Only our own page is meant: `/` delivers to a window of the same origin and to no other (HTML, window.postMessage).
ipcRenderer.on(contractPortMessage, (event) => {
  window.postMessage(contractPortMessage, '/', [...event.ports]);
});

// By then the page's scripts have run, and listen.
window.addEventListener('DOMContentLoaded', () => {
  ipcRenderer.send(contractPortMessage);
});
