/** Data sent between the processes: the part of structured clone that the stand-in needs. */
export type Wire = { text: string } | { base64: string } | { json: unknown };

/** From the page to the main process. */
export type FromPage =
  | { kind: 'send'; url: string; channel: string; args: unknown[] }
  | { kind: 'port-message'; portId: number; data: Wire }
  | { kind: 'port-closed'; portId: number };

/** From the main process to the page. */
export type ToPage =
  | { kind: 'post'; channel: string; message: unknown; portIds: number[] }
  | { kind: 'port-message'; portId: number; data: Wire }
  | { kind: 'port-closed'; portId: number };

/** Name of the function in the page's isolated world that sends a {@link FromPage} as JSON to the main process. */
export const toMainName = 'electronStandInToMain';

/** Name of the function there that receives a {@link ToPage}. */
export const toPageName = 'electronStandInToPage';

/** Encodes a value posted to a port. Runs in both processes. */
export function encode(data: unknown): Wire {
  if (typeof data === 'string') return { text: data };
  if (data instanceof Uint8Array) return { base64: btoa(Array.from(data, (byte) => String.fromCharCode(byte)).join('')) };
  return { json: data };
}

/** The reverse of {@link encode}. */
export function decode(wire: Wire): unknown {
  if ('text' in wire) return wire.text;
  if ('base64' in wire) return Uint8Array.from(atob(wire.base64), (character) => character.charCodeAt(0));
  return wire.json;
}

/** The script that runs the preload in a page's top frame, in an isolated world beside the page's scripts. */
export function formatPreloadScript(preloadSource: string): string {
  const dropFolder = process.env.ELECTRON_STAND_IN_DROP_FOLDER ?? '';
  const names = JSON.stringify({ toMainName, toPageName, dropFolder });
  return `(${runPreload})(function (require, module, exports) {${preloadSource}\n}, ${names}, ${encode}, ${decode});`;
}

/** Gives the preload Electron's sandboxed API. It is sent to the page as text, so it must not use anything from outside. */
function runPreload(
  preload: (require: (name: string) => unknown, module: { exports: unknown }, exports: unknown) => void,
  names: { toMainName: string; toPageName: string; dropFolder: string },
  encode: (data: unknown) => Wire,
  decode: (wire: Wire) => unknown,
): void {
  // Without nodeIntegrationInSubFrames a preload runs in the top frame only.
  if (window !== window.top) return;
  const world = globalThis as unknown as Record<string, (message: never) => void>;
  const toMain = world[names.toMainName] as unknown as (json: string) => void;
  const tell = (message: FromPage) => toMain(JSON.stringify(message));
  const listeners = new Map<string, ((event: { ports: MessagePort[] }, message: unknown) => void)[]>();
  const ports = new Map<number, MessagePort>();

  const openPort = (portId: number): MessagePort => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = ({ data }) => tell({ kind: 'port-message', portId, data: encode(data) });
    port1.addEventListener('close', () => tell({ kind: 'port-closed', portId }));
    ports.set(portId, port1);
    return port2;
  };

  world[names.toPageName] = (message: ToPage) => {
    switch (message.kind) {
      case 'post': {
        const event = { ports: message.portIds.map(openPort) };
        for (const listener of listeners.get(message.channel) ?? []) listener(event, message.message);
        break;
      }
      case 'port-message':
        ports.get(message.portId)?.postMessage(decode(message.data));
        break;
      case 'port-closed':
        ports.get(message.portId)?.close();
        ports.delete(message.portId);
        break;
    }
  };
  const ipcRenderer = {
    on: (channel: string, listener: (event: { ports: MessagePort[] }, message: unknown) => void) => {
      listeners.set(channel, [...(listeners.get(channel) ?? []), listener]);
    },
    send: (channel: string, ...args: unknown[]) => tell({ kind: 'send', url: location.href, channel, args }),
  };
  // A page's world knows no paths: in tests, every file comes from one folder.
  const webUtils = { getPathForFile: (file: File) => `${names.dropFolder}/${file.name}` };
  const module = { exports: {} };
  preload(
    (name) => {
      if (name === 'electron') return { ipcRenderer, webUtils };
      throw new Error(`module not found: ${name}`);
    },
    module,
    module.exports,
  );
}
