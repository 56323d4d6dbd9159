import { type AskedRequest, startOddService } from './odd-service.ts';

/** A remote service that passes requests on to another one, and fails those that a test selects. */
export async function startFailingService(apiBaseUrl: string) {
  let fails = (_request: AskedRequest) => false;
  const answer = async (request: AskedRequest) => {
    if (fails(request)) return new Response('{"errors":["It failed."]}', { status: 500 });
    const { method, path, authorization = '', body } = request;
    const headers = { authorization, 'content-type': 'application/json' };
    return await fetch(apiBaseUrl + path.replace(/^\/api/, ''), { method, headers, ...(body !== '' && { body }) });
  };
  const service = await startOddService((request, response) => {
    void answer(request).then(async (answered) => response.writeHead(answered.status).end(await answered.text()));
    return undefined;
  });
  return {
    ...service,
    /** Answers the requests that match with 500, from now on. */
    failAt(isMeant: (request: AskedRequest) => boolean): void {
      fails = isMeant;
    },
  };
}
