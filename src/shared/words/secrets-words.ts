import { assertNever } from '../assert-never.ts';
import { formatSecretsLocation } from '../format-secrets-location.ts';
import type { KeychainFault, KeyLocation, MissingKeyFault, SecretStoreFault, SecretsFault } from '../model/secrets-fault.ts';
import type { StartingHost } from './starting-host.ts';

/** Why the secrets can't be opened, and what to do, in a few sentences. */
export function describeSecretsFault(fault: SecretsFault, host: StartingHost): string {
  switch (fault.code) {
    case 'key-missing':
    case 'key-replaced':
    case 'key-location-lost':
    case 'earlier-key-missing':
    case 'earlier-key-unnamed':
    case 'key-immovable':
      return `The stream keys of this data folder are encrypted with ${describeMissingKey(fault, host)}`;
    case 'file-without-key':
      return `${describeSecretStore(fault)} "openssl rand -base64 32" prints one.`;
    default: {
      const sentence = `${describeSecretStore(fault)}${adviseUnlock(fault)}`;
      return 'path' in fault || host === 'app' ? sentence : `${sentence} ${otherStores}`;
    }
  }
}

const otherStores =
  'Or start with --secrets file:PATH to keep the key in a file, or with --secrets memory to keep stream keys only until Tallylight ends.';

/** Which key it is, why it is unavailable, and what to do: the end of a sentence, and those that follow it. */
function describeMissingKey(fault: MissingKeyFault, host: StartingHost): string {
  switch (fault.code) {
    case 'key-missing':
      return `a key that ${lack(fault, 'is missing')}.${reason(fault)} ${findAgain(fault, host)}`;
    case 'key-replaced':
      return `another key than the one found. ${findAgain(fault, host)}`;
    case 'key-location-lost':
      return `a key that cannot be found: the damaged store has lost where it is.${reason(fault)} ${useEarlier}. ${findAgain(fault, host)}`;
    case 'earlier-key-missing':
      return `a key in ${describeLocation(fault.at)}, and that key ${lack(fault, 'is missing')}.${reason(fault)} ${findAgain(fault, host)}`;
    case 'earlier-key-unnamed':
      return `a key in ${describeLocation(undefined)}. ${useEarlier}.`;
    case 'key-immovable': {
      const { from, to } = fault;
      const option = from === undefined ? '' : `: ${formatSecretsLocation(from)}`;
      return `a key in ${describeLocation(from)}, which cannot be moved to ${describeLocation(to)}.${reason(fault)} ${useEarlier}${option}.`;
    }
    default:
      return assertNever(fault);
  }
}

interface Because {
  because?: SecretStoreFault | undefined;
}

function lack({ because }: Because, otherwise: string): string {
  return because === undefined ? otherwise : 'cannot be read';
}

/** A secret store's fault without the advice for a first start, which would overwrite a key in use, or leave it behind. */
function reason({ because }: Because): string {
  return because === undefined ? '' : ` ${describeSecretStore(because)}`;
}

/** Advice without a full stop. */
const useEarlier = 'Start with the location of secrets that you used before';

/** What to do to have a key back, and if it is lost for good. */
function findAgain({ at, because }: Because & { at: KeyLocation }, host: StartingHost): string {
  const unlock = isOfMac(because) ? unlockMac : 'Unlock the keychain';
  const [advice, it] =
    at.kind === 'os'
      ? [`${unlock}, or log in as the user whose keychain has the key, and start again.`, 'the key']
      : ['Put the key file back and start again.', 'it'];
  if (host === 'app') return advice;
  return `${advice} If ${it} is lost, run "npm run serve -- --new-stream-keys" once, with all your other options added. All streams get new stream keys.`;
}

/** @param location undefined for a file whose path isn't known */
function describeLocation(location: KeyLocation | undefined): string {
  if (location === undefined) return 'another file';
  return location.path === undefined ? 'the keychain' : `the file ${location.path}`;
}

/** Advice for a first start with a keychain that unlocking may help; else empty. */
function adviseUnlock(fault: SecretStoreFault): string {
  if (isOfMac(fault)) return ` ${unlockMac}.`;
  const isLocked = fault.code === 'keychain-refused' && fault.keychain === 'keyring';
  return isLocked || fault.code === 'keychain-silent' || fault.code === 'entry-not-kept' ? ' Unlock it, then start again.' : '';
}

function isOfMac(fault: SecretStoreFault | undefined): boolean {
  return fault?.code === 'keychain-refused' && fault.keychain === 'macos-keychain';
}

/** Advice without a full stop. */
const unlockMac = 'Unlock the login keychain and allow Tallylight to use it';

function describeSecretStore(fault: SecretStoreFault): string {
  return 'path' in fault ? `The key file ${fault.path} ${describeKeyFile(fault)}.` : describeKeychain(fault);
}

/** The sentence after the file's name, without a full stop, and advice if there is any. */
function describeKeyFile(fault: Extract<SecretStoreFault, { path: string }>): string {
  switch (fault.code) {
    case 'file-unreadable':
      return `cannot be read (${fault.reason})`;
    case 'not-a-file':
      return 'is not a file';
    case 'file-exposed':
      return `can be read or written by other users (mode ${formatMode(fault.mode)}). Run "chmod 600 '${fault.path}'" to change that`;
    case 'file-of-other-user':
      return 'belongs to another user';
    case 'folder-exposed':
      return `is in a folder that other users can write, ${fault.folder}. Run "chmod go-w '${fault.folder}'" to change that`;
    case 'file-without-key':
      return 'does not contain a 256-bit key';
    case 'file-not-created':
      return `cannot be created (${fault.reason}). Create it yourself, with the key that "openssl rand -base64 32" prints`;
    default:
      return assertNever(fault);
  }
}

function describeKeychain(fault: KeychainFault): string {
  switch (fault.code) {
    case 'keychain-silent':
      return `The keychain has not answered for ${fault.forMs / 1000} s.`;
    case 'libsecret-missing':
      return 'The keychain needs the library libsecret, which is missing. Install it (Debian and Ubuntu: apt-get install libsecret-1-0 gnome-keyring; Fedora: dnf install libsecret gnome-keyring).';
    case 'dbus-missing':
      return 'The keychain needs a D-Bus session, and none is running. Log in to a desktop, or start with dbus-run-session and unlock a keyring such as gnome-keyring in it.';
    case 'keyring-missing':
      return 'No keyring service is running. Install and unlock one, such as gnome-keyring or KWallet (Debian and Ubuntu: apt-get install gnome-keyring).';
    case 'keychain-refused':
      return describeRefusal[fault.keychain](fault.reason);
    case 'entry-not-kept':
      return 'The keychain does not keep its entries.';
    default:
      return assertNever(fault);
  }
}

const describeRefusal = {
  keyring: (reason: string) => `The keyring refused (${reason}).`,
  'macos-keychain': (reason: string) => `The macOS Keychain cannot be used (${reason}).`,
  'credential-manager': (reason: string) =>
    `The Windows Credential Manager cannot be used (${reason}). Start the "Credential Manager" service.`,
};

function formatMode(mode: number): string {
  return (mode & 0o777).toString(8).padStart(3, '0');
}
