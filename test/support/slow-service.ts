import { type AskedRequest, startOddService } from './odd-service.ts';

/** Requests that are held up. */
export interface HeldRequests {
  /** Resolves when the first one has come. */
  asked: Promise<void>;
  /** Lets them through, and those that come later; with a status, all of them get that instead, until others are held. */
  release(status?: number): void;
}

/** A remote service whose answers are those of another one, but that holds up what a test wants. */
export async function startSlowService(apiBaseUrl: string) {
  let held:
    | { isHeld: (request: AskedRequest) => boolean; asked: () => void; released: Promise<number | undefined> }
    | undefined;
  const answer = async (request: AskedRequest) => {
    const { method, path, authorization = '', body } = request;
    const hold = held?.isHeld(request) ? held : undefined;
    hold?.asked();
    const status = await hold?.released;
    if (status !== undefined) return new Response('{"errors":["It failed."]}', { status });
    const headers = { authorization, 'content-type': 'application/json' };
    return await fetch(apiBaseUrl + path.replace(/^\/api/, ''), { method, headers, ...(body !== '' && { body }) });
  };
  const service = await startOddService((request, response) => {
    void answer(request).then(async (answered) => response.writeHead(answered.status).end(await answered.text()));
    return undefined;
  });
  return {
    ...service,
    /** Holds up the requests that match, from now on. */
    hold(isHeld: (request: AskedRequest) => boolean): HeldRequests {
      const asked = Promise.withResolvers<void>();
      const released = Promise.withResolvers<number | undefined>();
      held = { isHeld, asked: asked.resolve, released: released.promise };
      return {
        asked: asked.promise,
        release(status) {
          if (status === undefined) held = undefined;
          released.resolve(status);
        },
      };
    },
  };
}
