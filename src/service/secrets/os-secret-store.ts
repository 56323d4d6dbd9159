import { ServiceError } from '../../shared/errors.ts';
import type { SecretStore } from '../ports.ts';

/** The name under which the keychain's own screens show our entries. */
const keychainService = 'Tallylight';

/** The part of keytar that is used. */
interface Keytar {
  getPassword(service: string, account: string): Promise<string | null>;
  setPassword(service: string, account: string, password: string): Promise<void>;
}

/**
 * A {@link SecretStore} in the operating system's keychain: libsecret's keyring, macOS Keychain, Windows Credential Manager.
 *
 * keytar is loaded when it is first asked, since loading it takes longer than opening the store, and fails where
 * its system library is missing.
 *
 * @throws {ServiceError} from each call: KEYCHAIN_UNAVAILABLE, saying what is missing and how to get it.
 */
export function openOsSecretStore({
  load = loadKeytar,
  platform = process.platform,
  instead = 'Or start with --secrets memory: stream keys then last only until Tallylight ends.',
}: {
  load?: () => Promise<Keytar>;
  platform?: NodeJS.Platform;
  /** What else can be done: the last sentence of every refusal. */
  instead?: string;
} = {}): SecretStore {
  const ask = async <T>(question: (keytar: Keytar) => Promise<T>): Promise<T> => {
    try {
      return await question(await load());
    } catch (error) {
      throw new ServiceError('KEYCHAIN_UNAVAILABLE', `${explain(error, platform)} ${instead}`.trim(), { cause: error });
    }
  };
  return {
    kind: 'os',
    find: (name) => ask(async (keytar) => (await keytar.getPassword(keychainService, name)) ?? undefined),
    set: (name, value) => ask((keytar) => keytar.setPassword(keychainService, name, value)),
  };
}

async function loadKeytar(): Promise<Keytar> {
  const { default: keytar } = await import('keytar');
  return keytar;
}

/** What is missing and how to get it, in a sentence or two. */
function explain(error: unknown, platform: NodeJS.Platform): string {
  const reason = error instanceof Error ? error.message : String(error);
  if (platform === 'darwin') {
    return `The macOS Keychain cannot be used (${firstLine(reason)}): unlock the login keychain and allow Tallylight to use it.`;
  }
  if (platform === 'win32') {
    return `The Windows Credential Manager cannot be used (${firstLine(reason)}): start the "Credential Manager" service.`;
  }
  if (/libsecret/.test(reason)) {
    return `The library libsecret is missing, through which the keychain is reached: install it (Debian and Ubuntu: apt-get install libsecret-1-0 gnome-keyring; Fedora: dnf install libsecret gnome-keyring).`;
  }
  if (/D-?Bus|autolaunch|DISPLAY/i.test(reason)) {
    return `No D-Bus session runs, through which the keychain is reached: log in to a desktop, or start with dbus-run-session and unlock a keyring such as gnome-keyring in it.`;
  }
  return `No keyring answers (${firstLine(reason)}): start and unlock one that speaks the Secret Service interface, such as gnome-keyring or KWallet.`;
}

function firstLine(text: string): string {
  return text.split('\n', 1)[0]?.replace(/\.$/, '') ?? '';
}
