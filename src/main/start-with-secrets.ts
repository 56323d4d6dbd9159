import type { SecretStore } from '../service/ports.ts';
import { ServiceError } from '../shared/errors.ts';
import type { MissingKey } from './keychain-question.ts';

/**
 * Starts with the keychain; where this computer has none that can be used, or the key in it is missing, asks whether to go
 * on without.
 *
 * @param options.goOnWithout hears what is missing, in words; true starts with secrets that end with the process.
 * @returns undefined when it was declined.
 * @throws what `start` throws, when that is anything but KEYCHAIN_UNAVAILABLE or MASTER_KEY_MISSING.
 */
export async function startWithSecrets<Running>(options: {
  start: (secrets: SecretStore) => Promise<Running>;
  keychain: SecretStore;
  memory: SecretStore;
  goOnWithout: (missing: MissingKey) => Promise<boolean>;
}): Promise<Running | undefined> {
  const { start, keychain, memory, goOnWithout } = options;
  try {
    return await start(keychain);
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    const { code, message: sentence } = error;
    if (code !== 'KEYCHAIN_UNAVAILABLE' && code !== 'MASTER_KEY_MISSING') throw error;
    return (await goOnWithout({ code, sentence })) ? await start(memory) : undefined;
  }
}
