import type { SecretStore } from '../../src/service/ports.ts';

/** A secret store whose every entry is the same, in every process: for tests of what outlives one. */
export function createFixedSecretStore(): SecretStore {
  return { kind: 'memory', whenLost: '', find: async () => Buffer.alloc(32, 7).toString('base64'), set: async () => {} };
}
