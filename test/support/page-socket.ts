import type { Page, WebSocketRoute } from 'playwright-core';

/** A page's own socket to the service. */
export interface PageSocket {
  /** What the service has said, message by message. */
  readonly heard: string[];
  /** Changes what the page hears from now on. */
  rewrite: (message: string) => string;
  /** Whether the service can be reached. */
  isOpen: boolean;
  /** Ends the connections there are: the page opens another as soon as it can. */
  cut(): Promise<void>;
}

/** Takes the page's socket in hand; to be called before the page is opened. */
export async function holdPageSocket(page: Page): Promise<PageSocket> {
  const sockets: WebSocketRoute[] = [];
  const held: PageSocket = {
    heard: [],
    rewrite: (message) => message,
    isOpen: true,
    cut: async () => {
      await Promise.all(sockets.splice(0).map((socket) => socket.close()));
    },
  };
  await page.routeWebSocket('**/contract', (socket) => {
    if (!held.isOpen) return void socket.close();
    sockets.push(socket);
    socket.connectToServer().onMessage((message) => {
      if (typeof message !== 'string') return socket.send(message);
      held.heard.push(message);
      socket.send(held.rewrite(message));
    });
  });
  return held;
}
