import { pino } from 'pino';
import { expect, test } from 'vitest';
import { connectByPort } from '../../../test/support/contract-connections.ts';
import { ServiceError } from '../../shared/errors.ts';
import { type HandlerContext, implementContract } from './handler-context.ts';
import { remoteServiceHandlers } from './remote-service.ts';
import type { ContractRouter } from './router.ts';

/** The events that a page gets, and the log lines, when its events are these. */
async function watchRemotes(list: () => unknown) {
  const lines: string[] = [];
  const log = pino({}, { write: (line: string) => lines.push(line) });
  const context = { remotes: { list, onChange: () => () => {} }, log } as unknown as HandlerContext;
  const router = remoteServiceHandlers(implementContract(context), context) as unknown as ContractRouter;
  await using connection = await connectByPort(router);
  const events = await connection.client.remoteService.watchAll();
  const failure = await events.next().then(
    () => undefined,
    (error: unknown) => error,
  );
  return { failure, lines };
}

test('an event that breaks the contract is our fault, and in the log', async () => {
  const { failure, lines } = await watchRemotes(() => [{ id: 1 }]);
  expect(failure).toMatchObject({
    code: 'INTERNAL',
    message: 'Something went wrong in Tallylight. See its log for the cause.',
  });
  expect(lines).toEqual([expect.stringMatching(/Event iterator validation failed.*invalid_type/)]);
});

test('an error of any events tells its page why', async () => {
  const { failure, lines } = await watchRemotes(() => {
    throw new ServiceError('UNAVAILABLE', 'The store cannot be read.');
  });
  expect(failure).toMatchObject({ code: 'UNAVAILABLE', message: 'The store cannot be read.' });
  expect(lines).toEqual([]);
});
