import type { CDPSession } from 'playwright-core';
import { decode, encode, type FromPage, formatPreloadScript, type ToPage, toMainName, toPageName } from './isolated-world.ts';
import type { MessagePortMain } from './message-port-main.ts';

/** The name of the world that Electron runs preloads in. */
const worldName = 'Electron Isolated Context';

/** Connects a page's preload to the main process. */
export interface PageBridge {
  /** Sends a message to the preload, with ports; does nothing when the page has no preload. */
  post(channel: string, message: unknown, ports: MessagePortMain[]): void;
  /** The page is gone: closes its ports. */
  closePorts(): void;
}

/**
 * Runs the preload in each document that `cdp`'s page loads, before the page's own scripts, and carries its messages.
 *
 * @param onSend called with each message from the preload and the URL it came from.
 */
export async function bridgePage(
  cdp: CDPSession,
  preloadSource: string,
  onSend: (url: string, channel: string, args: unknown[]) => void,
): Promise<PageBridge> {
  let contextId: number | undefined;
  let lastPortId = 0;
  const ports = new Map<number, MessagePortMain>();

  const tell = (message: ToPage) => {
    const expression = `${toPageName}(${JSON.stringify(message)})`;
    // The document is gone: nobody can receive it.
    if (contextId !== undefined) cdp.send('Runtime.evaluate', { contextId, expression }).catch(() => {});
  };
  const closePorts = () => {
    contextId = undefined;
    for (const port of ports.values()) port.close();
    ports.clear();
  };
  const onMessage = (message: FromPage) => {
    switch (message.kind) {
      case 'send':
        onSend(message.url, message.channel, message.args);
        break;
      case 'port-message':
        ports.get(message.portId)?.postMessage(decode(message.data));
        break;
      case 'port-closed':
        ports.get(message.portId)?.close();
        ports.delete(message.portId);
        break;
    }
  };

  cdp.on('Runtime.executionContextCreated', ({ context }) => {
    if (context.name === worldName) contextId = context.id;
  });
  cdp.on('Runtime.executionContextDestroyed', (event) => {
    if (event.executionContextId === contextId) closePorts();
  });
  cdp.on('Runtime.executionContextsCleared', closePorts);
  cdp.on('Runtime.bindingCalled', ({ name, payload, executionContextId }) => {
    if (name === toMainName && executionContextId === contextId) onMessage(JSON.parse(payload));
  });
  await cdp.send('Runtime.enable');
  await cdp.send('Runtime.addBinding', { name: toMainName, executionContextName: worldName });
  await cdp.send('Page.addScriptToEvaluateOnNewDocument', { source: formatPreloadScript(preloadSource), worldName });

  return {
    post(channel, message, handedOver) {
      const portIds = handedOver.map((port) => {
        const portId = ++lastPortId;
        ports.set(portId, port);
        return portId;
      });
      tell({ kind: 'post', channel, message, portIds });
      for (const [index, portId] of portIds.entries()) {
        handedOver[index]?.handOver({
          message: (data) => tell({ kind: 'port-message', portId, data: encode(data) }),
          close: () => {
            ports.delete(portId);
            tell({ kind: 'port-closed', portId });
          },
        });
      }
    },
    closePorts,
  };
}
