import type { KeychainFault } from '../../shared/model/secrets-fault.ts';
import { sentenceOf } from '../lib/read-error.ts';
import { untilAborted } from '../lib/until-aborted.ts';
import type { SecretStore } from '../ports.ts';
import { keychainError } from './secret-store-error.ts';

/** The name of our entries in the keychain's own screens. */
const keychainService = 'Tallylight';

/** The part of keytar that we use. */
interface Keytar {
  getPassword(service: string, account: string): Promise<string | null>;
  setPassword(service: string, account: string, password: string): Promise<void>;
  findCredentials(service: string): Promise<{ account: string; password: string }[]>;
}

/** Long enough for a person to enter the keyring's password. Without a desktop there is no prompt. */
const defaultTimeoutMs = 60_000;

/**
 * A {@link SecretStore} in the operating system's keychain: libsecret's keyring, macOS Keychain, Windows Credential Manager.
 *
 * keytar is loaded at first use: loading takes longer than opening the store, and fails if its system library is missing.
 *
 * A keyring that stays locked because its password prompt was dismissed reports every entry as missing.
 *
 * @throws {SecretStoreError} from each call: KEYCHAIN_UNAVAILABLE, with what is missing
 */
export function openOsSecretStore({
  load = loadKeytar,
  platform = process.platform,
  timeoutMs = defaultTimeoutMs,
}: {
  load?: () => Promise<Keytar>;
  platform?: NodeJS.Platform;
  timeoutMs?: number;
} = {}): SecretStore {
  const ask = async <T>(question: (keytar: Keytar) => Promise<T>): Promise<T> => {
    const late = AbortSignal.timeout(timeoutMs);
    try {
      const keytar = await load().catch((error: unknown) => {
        throw new LoadError(error);
      });
      return await untilAborted(question(keytar), late);
    } catch (error) {
      throw keychainError(late.aborted ? { code: 'keychain-silent', forMs: timeoutMs } : findFault(error, platform), error);
    }
  };
  const findAll = async (prefix: string) => {
    const all = await ask((keytar) => keytar.findCredentials(keychainService));
    return all.filter(({ account }) => account.startsWith(prefix)).map(({ password }) => password);
  };
  return {
    kind: 'os',
    find: (name) => ask(async (keytar) => (await keytar.getPassword(keychainService, name)) ?? undefined),
    // On Linux keytar ends the process with a segmentation fault if one of the entries is locked: it reads secrets that it didn't get.
    ...(platform !== 'linux' && { findAll }),
    set: (name, value) => ask((keytar) => keytar.setPassword(keychainService, name, value)),
  };
}

/** keytar's binary could not be loaded; on Linux because the library it links to is missing. keytar hides the system's reason. */
class LoadError extends Error {
  constructor(cause: unknown) {
    super(sentenceOf(cause), { cause });
  }
}

async function loadKeytar(): Promise<Keytar> {
  const { default: keytar } = await import('keytar');
  return keytar;
}

/** What is wrong, as far as keytar's error says. */
function findFault(error: unknown, platform: NodeJS.Platform): KeychainFault {
  const text = sentenceOf(error);
  const reason = firstLine(text);
  if (platform === 'darwin') return { code: 'keychain-refused', keychain: 'macos-keychain', reason };
  if (platform === 'win32') return { code: 'keychain-refused', keychain: 'credential-manager', reason };
  if (error instanceof LoadError || /libsecret/.test(text)) return { code: 'libsecret-missing' };
  if (/D-?Bus|autolaunch|DISPLAY|Could not connect|Connection refused/i.test(text)) return { code: 'dbus-missing' };
  if (/org\.freedesktop\.secrets|ServiceUnknown/.test(text)) return { code: 'keyring-missing' };
  return { code: 'keychain-refused', keychain: 'keyring', reason };
}

function firstLine(text: string): string {
  return text.split('\n', 1)[0]?.replace(/\.$/, '') ?? '';
}
