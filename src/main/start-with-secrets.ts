import type { SecretStore } from '../service/ports.ts';
import { ServiceError } from '../shared/errors.ts';

/**
 * Starts with the keychain; where this computer has none that can be used, asks whether to go on without.
 *
 * @param options.goOnWithout hears what is missing, in words; true starts with secrets that end with the process.
 * @returns undefined when it was declined.
 * @throws what `start` throws, when that is anything but KEYCHAIN_UNAVAILABLE.
 */
export async function startWithSecrets<Running>(options: {
  start: (secrets: SecretStore) => Promise<Running>;
  keychain: SecretStore;
  memory: SecretStore;
  goOnWithout: (sentence: string) => Promise<boolean>;
}): Promise<Running | undefined> {
  const { start, keychain, memory, goOnWithout } = options;
  try {
    return await start(keychain);
  } catch (error) {
    if (!(error instanceof ServiceError) || error.code !== 'KEYCHAIN_UNAVAILABLE') throw error;
    return (await goOnWithout(error.message)) ? await start(memory) : undefined;
  }
}
