import type { Page, WebSocketRoute } from 'playwright-core';

/** A page's socket to the service. */
export interface PageSocket {
  /** What the service has sent, message by message. */
  readonly heard: string[];
  /** What the page has sent. */
  readonly said: string[];
  /** Rewrites messages to the page from now on. */
  rewrite: (message: string) => string;
  /** Whether the service can be reached. */
  isOpen: boolean;
  /** Closes the open connections: the page reconnects as soon as it can. */
  cut(): Promise<void>;
}

/** Intercepts the page's socket; call it before the page is opened. */
export async function holdPageSocket(page: Page): Promise<PageSocket> {
  const sockets: WebSocketRoute[] = [];
  const held: PageSocket = {
    heard: [],
    said: [],
    rewrite: (message) => message,
    isOpen: true,
    cut: async () => {
      await Promise.all(sockets.splice(0).map((socket) => socket.close()));
    },
  };
  await page.routeWebSocket('**/contract', (socket) => {
    if (!held.isOpen) return void socket.close();
    sockets.push(socket);
    const server = socket.connectToServer();
    socket.onMessage((message) => {
      held.said.push(message.toString());
      server.send(message);
    });
    server.onMessage((message) => {
      if (typeof message !== 'string') return socket.send(message);
      held.heard.push(message);
      socket.send(held.rewrite(message));
    });
  });
  return held;
}
