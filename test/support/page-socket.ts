import type { Page, WebSocketRoute } from 'playwright-core';
import { onTestFinished } from 'vitest';
import type { Verdict } from '../../src/shared/model/verdict.ts';
import type { StreamLive } from '../../src/shared/model/views.ts';

/** A page's socket to the service. */
export interface PageSocket {
  /** The service's messages, in order. */
  readonly heard: string[];
  /** The page's messages. */
  readonly said: string[];
  /** Rewrites messages to the page from now on. */
  rewrite: (message: string) => string;
  /** Whether the service can be reached. */
  isOpen: boolean;
  /** Holds back messages to the page from now on, except heartbeats, until the returned function is called. */
  hold(): () => void;
  /** Closes the open connections and opens none, until `isOpen` is set again or the test ends. */
  lose(): Promise<void>;
}

/** Intercepts the page's socket; call it before the page is opened. */
export async function holdPageSocket(page: Page): Promise<PageSocket> {
  const sockets: WebSocketRoute[] = [];
  let waiting: (() => void)[] | undefined;
  const held: PageSocket = {
    heard: [],
    said: [],
    rewrite: (message) => message,
    isOpen: true,
    hold: () => {
      waiting ??= [];
      return () => {
        for (const send of waiting?.splice(0) ?? []) send();
        waiting = undefined;
      };
    },
    lose: async () => {
      onTestFinished(() => {
        held.isOpen = true;
      });
      held.isOpen = false;
      await Promise.all(sockets.splice(0).map((socket) => socket.close()));
    },
  };
  await page.routeWebSocket('**/contract', (socket) => {
    if (!held.isOpen) return void socket.close();
    sockets.push(socket);
    const server = socket.connectToServer();
    /** The heartbeats' calls, which continue: the page takes a service without them for lost. */
    const beats = new Set<string>();
    socket.onMessage((message) => {
      const said = message.toString();
      held.said.push(said);
      if (said.includes('"/service/beat"')) beats.add(readCallId(said));
      server.send(message);
    });
    server.onMessage((message) => {
      if (typeof message !== 'string') return socket.send(message);
      held.heard.push(message);
      const send = () => socket.send(held.rewrite(message));
      if (waiting === undefined || beats.has(readCallId(message))) send();
      else waiting.push(send);
    });
  });
  return held;
}

/** A {@link PageSocket.rewrite} that changes these facts about the stream that a page has open in Studio. */
export const changeLive =
  (changes: Partial<StreamLive>) =>
  (message: string): string =>
    // In lists of streams, `oneClick` is a word.
    JSON.stringify(JSON.parse(message, (_, value) => (typeof value?.oneClick === 'object' ? { ...value, ...changes } : value)));

/** The verdict on a sound that clips, for {@link changeLive}: two pauses of a busy computer's media hide the service's for a minute. */
export const soundClips = { code: 'clipping', severity: 'warn', stage: 'encoder', isLimited: false } as const satisfies Verdict;

/**
 * A {@link PageSocket.rewrite} by which no stream has a warning, only bad trouble: two pauses of a busy computer's media are a warning for
 * a minute, longer than any wait.
 */
export const withoutWarnings = (message: string): string =>
  JSON.stringify(
    JSON.parse(message, (_, value) =>
      typeof value?.air === 'object' && value.severity === 'warn' ? { ...value, severity: undefined } : value,
    ),
  );

/** The call that an oRPC message belongs to; unique on its socket. */
const readCallId = (message: string): string => (JSON.parse(message) as { i: string }).i;
