import type { SecretStore } from '../service/ports.ts';
import { ServiceError } from '../shared/errors.ts';
import { describeError } from '../shared/words/error-words.ts';
import type { MissingKey } from './keychain-question.ts';

/**
 * Starts with the chosen secret store. If the store's key is missing, asks whether to continue with a new one there; if the keychain
 * can't be used, whether to continue in memory, where secrets last only as long as the process.
 *
 * @param options.start starts with this secret store. `newKey`: a key that is missing may be replaced
 * @param options.goOnWithout tells the user what is missing and asks whether to continue
 * @returns undefined if it was declined.
 * @throws what `start` throws, unless KEYCHAIN_UNAVAILABLE or MASTER_KEY_MISSING.
 */
export async function startWithSecrets<Running>(options: {
  start: (secrets: SecretStore, newKey: boolean) => Promise<Running>;
  secrets: SecretStore;
  memory: SecretStore;
  goOnWithout: (missing: MissingKey) => Promise<boolean>;
}): Promise<Running | undefined> {
  const { start, secrets, memory, goOnWithout } = options;
  const startHere = async (newKey: boolean): Promise<Running | undefined> => {
    try {
      return await start(secrets, newKey);
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error;
      const { code } = error;
      if (code !== 'KEYCHAIN_UNAVAILABLE' && code !== 'MASTER_KEY_MISSING') throw error;
      if (!(await goOnWithout({ code, sentence: describeError(error, 'app') }))) return undefined;
      return code === 'MASTER_KEY_MISSING' ? await startHere(true) : await start(memory, newKey);
    }
  };
  return startHere(false);
}
