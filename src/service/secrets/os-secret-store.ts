import { ServiceError } from '../../shared/errors.ts';
import { sentenceOf } from '../lib/read-error.ts';
import { untilAborted } from '../lib/until-aborted.ts';
import type { SecretStore } from '../ports.ts';

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
 * @throws {ServiceError} from each call: KEYCHAIN_UNAVAILABLE, saying what is missing and how to get it
 */
export function openOsSecretStore({
  load = loadKeytar,
  platform = process.platform,
  timeoutMs = defaultTimeoutMs,
  instead = 'Or start with --secrets file:PATH to keep the key in a file, or with --secrets memory to keep stream keys only until Tallylight ends.',
  ifGone = 'If the key is lost, run "npm run serve -- --new-stream-keys" once, with all your other options added. All streams get new stream keys.',
}: {
  load?: () => Promise<Keytar>;
  platform?: NodeJS.Platform;
  timeoutMs?: number;
  /** The alternatives: the last sentence of every error. */
  instead?: string;
  /** Advice if an entry is lost. */
  ifGone?: string;
} = {}): SecretStore {
  const ask = async <T>(question: (keytar: Keytar) => Promise<T>): Promise<T> => {
    const late = AbortSignal.timeout(timeoutMs);
    try {
      const keytar = await load().catch((error: unknown) => {
        throw new LoadError(error);
      });
      return await untilAborted(question(keytar), late);
    } catch (error) {
      const what = late.aborted
        ? `The keychain has not answered for ${timeoutMs / 1000} s. Unlock it, then start again.`
        : explain(error, platform);
      throw new ServiceError('KEYCHAIN_UNAVAILABLE', `${what} ${instead}`.trim(), { cause: error });
    }
  };
  const findAll = async (prefix: string) => {
    const all = await ask((keytar) => keytar.findCredentials(keychainService));
    return all.filter(({ account }) => account.startsWith(prefix)).map(({ password }) => password);
  };
  return {
    kind: 'os',
    instead,
    whenLost: `Unlock the keychain, or log in as the user whose keychain has the key, and start again. ${ifGone}`.trim(),
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

/** The missing part and how to get it, in a sentence or two. */
function explain(error: unknown, platform: NodeJS.Platform): string {
  const reason = sentenceOf(error);
  if (platform === 'darwin') {
    return `The macOS Keychain cannot be used (${firstLine(reason)}). Unlock the login keychain and allow Tallylight to use it.`;
  }
  if (platform === 'win32') {
    return `The Windows Credential Manager cannot be used (${firstLine(reason)}). Start the "Credential Manager" service.`;
  }
  if (error instanceof LoadError || /libsecret/.test(reason)) {
    return 'The keychain needs the library libsecret, which is missing. Install it (Debian and Ubuntu: apt-get install libsecret-1-0 gnome-keyring; Fedora: dnf install libsecret gnome-keyring).';
  }
  if (/D-?Bus|autolaunch|DISPLAY|Could not connect|Connection refused/i.test(reason)) {
    return 'The keychain needs a D-Bus session, and none is running. Log in to a desktop, or start with dbus-run-session and unlock a keyring such as gnome-keyring in it.';
  }
  if (/org\.freedesktop\.secrets|ServiceUnknown/.test(reason)) {
    return 'No keyring service is running. Install and unlock one, such as gnome-keyring or KWallet (Debian and Ubuntu: apt-get install gnome-keyring).';
  }
  return `The keyring refused (${firstLine(reason)}). Unlock it, then start again.`;
}

function firstLine(text: string): string {
  return text.split('\n', 1)[0]?.replace(/\.$/, '') ?? '';
}
