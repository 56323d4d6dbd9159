import { expect, test } from 'vitest';
import { ServiceError } from '../../shared/errors.ts';
import { StreamServices, type StreamServicesOptions } from './stream-services.ts';

test.each([
  ['done and confirmed', { isDone: true, fault: undefined }, 1],
  ['done, though the disk has not confirmed it', { isDone: true, fault: 'The disk is slow.' }, 1],
  ['refused', { isDone: false, fault: 'The store is locked.' }, 0],
])('the streams of a remote service are closed with its removal: %s', async (_, { isDone, fault }, closed) => {
  const known = new Set(['service1']);
  const remotes = {
    get: () => {},
    find: (id: string) => (known.has(id) ? {} : undefined),
    async remove(id: string) {
      if (isDone) known.delete(id);
      if (fault !== undefined) throw new ServiceError('UNAVAILABLE', fault);
    },
  };
  let closes = 0;
  const open = () => ({
    close: async () => {
      closes += 1;
    },
  });
  const services = new StreamServices({ remotes, open } as unknown as StreamServicesOptions);
  services.get('service1');
  const ended = await services.remove('service1').catch((error: ServiceError) => error.message);
  expect([ended, closes]).toEqual([fault, closed]);
});
