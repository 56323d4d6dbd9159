import type { SecretStore } from '../ports.ts';

/** A {@link SecretStore} that ends with the process: a later process cannot open secrets sealed with its key. */
export function openMemorySecretStore(): SecretStore {
  const secrets = new Map<string, string>();
  return {
    kind: 'memory',
    find: async (name) => secrets.get(name),
    async set(name, value) {
      secrets.set(name, value);
    },
  };
}
