import type { SecretStore } from '../service/ports.ts';
import { ServiceError } from '../shared/errors.ts';
import type { MissingKey } from './keychain-question.ts';

/**
 * Starts with the chosen secret store. If the keychain can't be used, or the store's key is missing, asks whether to
 * continue without.
 *
 * @param options.goOnWithout receives what is missing. If it returns true, secrets last only as long as the process.
 * @returns undefined if it was declined.
 * @throws what `start` throws, unless KEYCHAIN_UNAVAILABLE or MASTER_KEY_MISSING.
 */
export async function startWithSecrets<Running>(options: {
  start: (secrets: SecretStore) => Promise<Running>;
  secrets: SecretStore;
  memory: SecretStore;
  goOnWithout: (missing: MissingKey) => Promise<boolean>;
}): Promise<Running | undefined> {
  const { start, secrets, memory, goOnWithout } = options;
  try {
    return await start(secrets);
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    const { code, message: sentence } = error;
    if (code !== 'KEYCHAIN_UNAVAILABLE' && code !== 'MASTER_KEY_MISSING') throw error;
    return (await goOnWithout({ code, sentence })) ? await start(memory) : undefined;
  }
}
