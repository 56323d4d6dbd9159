import type { SecretStore } from '../../src/service/ports.ts';

/** A secret store that returns the same secret for every entry in every process: for tests of data that survives a process. */
export function createFixedSecretStore(): SecretStore {
  return { kind: 'memory', find: async () => Buffer.alloc(32, 7).toString('base64'), set: async () => {} };
}
