import type { FastifyInstance } from 'fastify';
import { addApiRoutes } from '../../src/service/http/api-routes.ts';
import { createHttpServer } from '../../src/service/http/http-server.ts';
import type { Settings } from '../../src/shared/model/settings.ts';
import { openRegionStand } from './region-stand.ts';
import { createTestLog, openStoreStand, type StoreStand } from './store-stand.ts';

/** An API response with its body parsed. */
export interface ApiAnswer {
  status: number;
  headers: Record<string, unknown>;
  body: unknown;
}

/** The fields of a created stream that tests use. */
interface CreatedStream {
  id: string;
  streamKey: string;
  playbackId: string;
  name: string;
}

/** A valid profile, as a client may send it. */
export const someProfile = { name: '720p', bitrate: 3_000_000, fps: 30, width: 1280, height: 720 };

/** An id that no stream has. */
export const unknownId = '00000000-0000-4000-8000-000000000000';

/** The public interface over a real store, called without a socket. */
export interface ApiStand {
  readonly app: FastifyInstance;
  readonly store: StoreStand;
  readonly secret: string;
  readonly lines: { level: number; msg: string; [key: string]: unknown }[];
  /** Sends a request with our API key; a payload that isn't a string is sent as JSON. */
  ask(method: string, path: string, payload?: unknown, headers?: Record<string, string>): Promise<ApiAnswer>;
  /** Creates a stream through the API. */
  create(body?: object): Promise<CreatedStream>;
  close(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}

/** Opens the public interface over its own store, with one API key named "robot". */
export async function openApiStand(settings: Partial<Settings> = {}): Promise<ApiStand> {
  const store = await openStoreStand();
  const { log, lines } = createTestLog();
  const app = createHttpServer({ log });
  const { regions } = openRegionStand(settings);
  addApiRoutes(app, { streams: store.streams, apiKeys: store.apiKeys, regions, version: '1.2.3' });
  await app.ready();
  const { secret } = await store.apiKeys.create('robot');
  const close = async () => {
    await app.close();
    store.close();
  };
  const ask: ApiStand['ask'] = async (method, path, payload, headers = {}) => {
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
  };
  return {
    app,
    store,
    secret,
    lines,
    ask,
    async create(body = { name: 'Sunday show' }) {
      const { status, body: stream } = await ask('POST', '/stream', body);
      if (status !== 201) throw new Error(`The stream was not created: ${status} ${JSON.stringify(stream)}`);
      return stream as CreatedStream;
    },
    close,
    [Symbol.asyncDispose]: close,
  };
}
