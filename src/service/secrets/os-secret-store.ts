import { ServiceError } from '../../shared/errors.ts';
import { untilAborted } from '../lib/until-aborted.ts';
import type { SecretStore } from '../ports.ts';

/** The name under which the keychain's own screens show our entries. */
const keychainService = 'Tallylight';

/** The part of keytar that is used. */
interface Keytar {
  getPassword(service: string, account: string): Promise<string | null>;
  setPassword(service: string, account: string, password: string): Promise<void>;
}

/** A person may be asked for the keyring's password meanwhile; without a screen nobody is. */
const defaultTimeoutMs = 60_000;

/**
 * A {@link SecretStore} in the operating system's keychain: libsecret's keyring, macOS Keychain, Windows Credential Manager.
 *
 * keytar is loaded when it is first asked, since loading it takes longer than opening the store, and fails where
 * its system library is missing.
 *
 * A keyring that stays locked, since the question for its password was dismissed, says of everything that it is not there.
 *
 * @throws {ServiceError} from each call: KEYCHAIN_UNAVAILABLE, saying what is missing and how to get it.
 */
export function openOsSecretStore({
  load = loadKeytar,
  platform = process.platform,
  timeoutMs = defaultTimeoutMs,
  instead = 'Or start with --secrets file:PATH to keep the key in a file, or with --secrets memory: stream keys then last only until Tallylight ends.',
  ifGone = 'If the key is gone for good, start once with --secrets memory: all streams get new stream keys.',
}: {
  load?: () => Promise<Keytar>;
  platform?: NodeJS.Platform;
  timeoutMs?: number;
  /** What else can be done: the last sentence of every refusal. */
  instead?: string;
  /** What to do when an entry is gone for good. */
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
        ? `The keychain has not answered for ${timeoutMs / 1000} s: unlock it, then start again.`
        : explain(error, platform);
      throw new ServiceError('KEYCHAIN_UNAVAILABLE', `${what} ${instead}`.trim(), { cause: error });
    }
  };
  return {
    kind: 'os',
    instead,
    whenLost: `Unlock the keychain, or log in as the user whose keychain has the key, and start again. ${ifGone}`.trim(),
    find: (name) => ask(async (keytar) => (await keytar.getPassword(keychainService, name)) ?? undefined),
    set: (name, value) => ask((keytar) => keytar.setPassword(keychainService, name, value)),
  };
}

/** keytar's own binary could not be loaded: on Linux for want of the library it is linked with. keytar hides the system's reason. */
class LoadError extends Error {
  constructor(cause: unknown) {
    super(cause instanceof Error ? cause.message : String(cause), { cause });
  }
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
  if (error instanceof LoadError || /libsecret/.test(reason)) {
    return 'The library libsecret is missing, and the keychain cannot be reached without it: install it (Debian and Ubuntu: apt-get install libsecret-1-0 gnome-keyring; Fedora: dnf install libsecret gnome-keyring).';
  }
  if (/D-?Bus|autolaunch|DISPLAY|Could not connect|Connection refused/i.test(reason)) {
    return 'No D-Bus session is running, and the keychain cannot be reached without one: log in to a desktop, or start with dbus-run-session and unlock a keyring such as gnome-keyring in it.';
  }
  if (/org\.freedesktop\.secrets|ServiceUnknown/.test(reason)) {
    return 'No keyring service is running to keep the key: install and unlock one, such as gnome-keyring or KWallet (Debian and Ubuntu: apt-get install gnome-keyring).';
  }
  return `The keyring refuses (${firstLine(reason)}): unlock it, then start again.`;
}

function firstLine(text: string): string {
  return text.split('\n', 1)[0]?.replace(/\.$/, '') ?? '';
}
