import type { FastifyInstance } from 'fastify';
import { addApiRoutes } from '../../src/service/http/api-routes.ts';
import { createHttpServer } from '../../src/service/http/http-server.ts';
import { createTestLog, openStoreStand, type StoreStand } from './store-stand.ts';

/** One answer of the API, its body parsed. */
export interface ApiAnswer {
  status: number;
  headers: Record<string, unknown>;
  body: unknown;
}

/** The public interface over a real store, asked without a socket. */
export interface ApiStand {
  readonly app: FastifyInstance;
  readonly store: StoreStand;
  readonly secret: string;
  readonly lines: { level: number; msg: string; [key: string]: unknown }[];
  /** Asks with our API key; a payload that is no string is sent as JSON. */
  ask(method: string, path: string, payload?: unknown, headers?: Record<string, string>): Promise<ApiAnswer>;
  close(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}

/** The base URLs that the stand answers with. */
export const testBaseUrls = {
  ingest: 'rtmp://127.0.0.1:1935/live',
  playback: 'http://127.0.0.1:4600/hls',
  base: 'http://127.0.0.1:4600',
};

/** Opens the public interface over a store of its own, with one API key named "robot". */
export async function openApiStand(): Promise<ApiStand> {
  const store = await openStoreStand();
  const { log, lines } = createTestLog();
  const app = createHttpServer({ log });
  addApiRoutes(app, { streams: store.streams, apiKeys: store.apiKeys, baseUrls: () => testBaseUrls, version: '1.2.3' });
  await app.ready();
  const { secret } = store.apiKeys.create('robot');
  const close = async () => {
    await app.close();
    store.close();
  };
  return {
    app,
    store,
    secret,
    lines,
    async ask(method, path, payload, headers = {}) {
      const answer = await app.inject({
        method: method as 'GET',
        url: `/api${path}`,
        headers: {
          authorization: `Bearer ${secret}`,
          ...(payload !== undefined && { 'content-type': 'application/json' }),
          ...headers,
        },
        ...(payload !== undefined && {
          payload: typeof payload === 'string' || Buffer.isBuffer(payload) ? payload : JSON.stringify(payload),
        }),
      });
      return {
        status: answer.statusCode,
        headers: answer.headers,
        body: answer.body === '' ? undefined : JSON.parse(answer.body),
      };
    },
    close,
    [Symbol.asyncDispose]: close,
  };
}
