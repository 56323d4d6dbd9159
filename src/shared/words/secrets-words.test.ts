import { expect, test } from 'vitest';
import type { KeyLocation, SecretsFault } from '../model/secrets-fault.ts';
import { describeSecretsFault } from './secrets-words.ts';
import type { StartingHost } from './starting-host.ts';

const path = '/home/me/key';
const keychain: KeyLocation = { kind: 'os' };
const file: KeyLocation = { kind: 'file', path };
const silent = { code: 'keychain-silent', forMs: 60_000 } as const;
const withoutKey = { code: 'file-without-key', path } as const;
const noMac = { code: 'keychain-refused', keychain: 'macos-keychain', reason: 'User interaction is not allowed' } as const;

/** What a host says after the words that all have in common. */
type Additions = Partial<Record<StartingHost, string>>;
const otherStores: Additions = {
  headless:
    ' Or start with --secrets file:PATH to keep the key in a file, or with --secrets memory to keep stream keys only until Tallylight ends.',
};
const lostKey =
  ' If the key is lost, run "npm run serve -- --new-stream-keys" once, with all your other options added. All streams get new stream keys.';
const lostEntry: Additions = { headless: lostKey };
const lostIt = lostKey.replace('the key', 'it');
const lostFile: Additions = { headless: lostIt };

/** Every fault, with the words of all hosts, and what only some add. */
const words: { [Code in SecretsFault['code']]: [Extract<SecretsFault, { code: Code }>, string, Additions?][] } = {
  'keychain-silent': [
    [silent, 'The keychain has not answered for 60 s. Unlock it, then start again.', otherStores],
    [
      { code: 'keychain-silent', forMs: 20 },
      'The keychain has not answered for 0.02 s. Unlock it, then start again.',
      otherStores,
    ],
  ],
  'libsecret-missing': [
    [
      { code: 'libsecret-missing' },
      'The keychain needs the library libsecret, which is missing. Install it (Debian and Ubuntu: apt-get install libsecret-1-0 gnome-keyring; Fedora: dnf install libsecret gnome-keyring).',
      otherStores,
    ],
  ],
  'dbus-missing': [
    [
      { code: 'dbus-missing' },
      'The keychain needs a D-Bus session, and none is running. Log in to a desktop, or start with dbus-run-session and unlock a keyring such as gnome-keyring in it.',
      otherStores,
    ],
  ],
  'keyring-missing': [
    [
      { code: 'keyring-missing' },
      'No keyring service is running. Install and unlock one, such as gnome-keyring or KWallet (Debian and Ubuntu: apt-get install gnome-keyring).',
      otherStores,
    ],
  ],
  'keychain-refused': [
    [
      { code: 'keychain-refused', keychain: 'keyring', reason: 'Prompt dismissed' },
      'The keyring refused (Prompt dismissed). Unlock it, then start again.',
      otherStores,
    ],
    [
      noMac,
      'The macOS Keychain cannot be used (User interaction is not allowed). Unlock the login keychain and allow Tallylight to use it.',
      otherStores,
    ],
    [
      { code: 'keychain-refused', keychain: 'credential-manager', reason: 'The service has not been started' },
      'The Windows Credential Manager cannot be used (The service has not been started). Start the "Credential Manager" service.',
      otherStores,
    ],
  ],
  'entry-not-kept': [
    [{ code: 'entry-not-kept' }, 'The keychain does not keep its entries. Unlock it, then start again.', otherStores],
  ],
  'file-unreadable': [
    [{ code: 'file-unreadable', path, reason: 'EACCES' }, 'The key file /home/me/key cannot be read (EACCES).'],
  ],
  'not-a-file': [[{ code: 'not-a-file', path }, 'The key file /home/me/key is not a file.']],
  'file-exposed': [
    [
      { code: 'file-exposed', path, mode: 0o640 },
      `The key file /home/me/key can be read or written by other users (mode 640). Run "chmod 600 '/home/me/key'" to change that.`,
    ],
    [
      { code: 'file-exposed', path, mode: 0o004 },
      `The key file /home/me/key can be read or written by other users (mode 004). Run "chmod 600 '/home/me/key'" to change that.`,
    ],
  ],
  'file-of-other-user': [[{ code: 'file-of-other-user', path }, 'The key file /home/me/key belongs to another user.']],
  'folder-exposed': [
    [
      { code: 'folder-exposed', path, folder: '/home/me' },
      `The key file /home/me/key is in a folder that other users can write, /home/me. Run "chmod go-w '/home/me'" to change that.`,
    ],
  ],
  'file-without-key': [
    [withoutKey, 'The key file /home/me/key does not contain a 256-bit key. "openssl rand -base64 32" prints one.'],
  ],
  'file-not-created': [
    [
      { code: 'file-not-created', path, reason: 'EEXIST' },
      'The key file /home/me/key cannot be created (EEXIST). Create it yourself, with the key that "openssl rand -base64 32" prints.',
    ],
  ],
  'key-missing': [
    [
      { code: 'key-missing', at: keychain },
      'The stream keys of this data folder are encrypted with a key that is missing. Unlock the keychain, or log in as the user whose keychain has the key, and start again.',
      lostEntry,
    ],
    [
      { code: 'key-missing', at: file },
      'The stream keys of this data folder are encrypted with a key that is missing. Put the key file back and start again.',
      lostFile,
    ],
    [
      { code: 'key-missing', at: keychain, because: silent },
      'The stream keys of this data folder are encrypted with a key that cannot be read. The keychain has not answered for 60 s. Unlock the keychain, or log in as the user whose keychain has the key, and start again.',
      lostEntry,
    ],
    [
      { code: 'key-missing', at: keychain, because: noMac },
      'The stream keys of this data folder are encrypted with a key that cannot be read. The macOS Keychain cannot be used (User interaction is not allowed). Unlock the login keychain and allow Tallylight to use it, or log in as the user whose keychain has the key, and start again.',
      lostEntry,
    ],
    [
      { code: 'key-missing', at: file, because: withoutKey },
      'The stream keys of this data folder are encrypted with a key that cannot be read. The key file /home/me/key does not contain a 256-bit key. Put the key file back and start again.',
      lostFile,
    ],
  ],
  'key-replaced': [
    [
      { code: 'key-replaced', at: keychain },
      'The stream keys of this data folder are encrypted with another key than the one found. Unlock the keychain, or log in as the user whose keychain has the key, and start again.',
      lostEntry,
    ],
  ],
  'key-location-lost': [
    [
      { code: 'key-location-lost', at: keychain },
      'The stream keys of this data folder are encrypted with a key that cannot be found: the damaged store has lost where it is. Start with the location of secrets that you used before. Unlock the keychain, or log in as the user whose keychain has the key, and start again.',
      lostEntry,
    ],
    [
      { code: 'key-location-lost', at: keychain, because: noMac },
      'The stream keys of this data folder are encrypted with a key that cannot be found: the damaged store has lost where it is. The macOS Keychain cannot be used (User interaction is not allowed). Start with the location of secrets that you used before. Unlock the login keychain and allow Tallylight to use it, or log in as the user whose keychain has the key, and start again.',
      lostEntry,
    ],
    [
      { code: 'key-location-lost', at: file, because: withoutKey },
      'The stream keys of this data folder are encrypted with a key that cannot be found: the damaged store has lost where it is. The key file /home/me/key does not contain a 256-bit key. Start with the location of secrets that you used before. Put the key file back and start again.',
      lostFile,
    ],
  ],
  'earlier-key-missing': [
    [
      { code: 'earlier-key-missing', at: keychain },
      'The stream keys of this data folder are encrypted with a key in the keychain, and that key is missing. Unlock the keychain, or log in as the user whose keychain has the key, and start again.',
      lostEntry,
    ],
    [
      { code: 'earlier-key-missing', at: keychain, because: noMac },
      'The stream keys of this data folder are encrypted with a key in the keychain, and that key cannot be read. The macOS Keychain cannot be used (User interaction is not allowed). Unlock the login keychain and allow Tallylight to use it, or log in as the user whose keychain has the key, and start again.',
      lostEntry,
    ],
    [
      { code: 'earlier-key-missing', at: file, because: { code: 'file-exposed', path, mode: 0o644 } },
      `The stream keys of this data folder are encrypted with a key in the file /home/me/key, and that key cannot be read. The key file /home/me/key can be read or written by other users (mode 644). Run "chmod 600 '/home/me/key'" to change that. Put the key file back and start again.`,
      lostFile,
    ],
  ],
  'earlier-key-unnamed': [
    [
      { code: 'earlier-key-unnamed' },
      'The stream keys of this data folder are encrypted with a key in another file. Start with the location of secrets that you used before.',
    ],
  ],
  'key-immovable': [
    [
      { code: 'key-immovable', from: file, to: keychain, because: silent },
      'The stream keys of this data folder are encrypted with a key in the file /home/me/key, which cannot be moved to the keychain. The keychain has not answered for 60 s. Start with the location of secrets that you used before: file:/home/me/key.',
    ],
    [
      { code: 'key-immovable', from: file, to: keychain, because: noMac },
      'The stream keys of this data folder are encrypted with a key in the file /home/me/key, which cannot be moved to the keychain. The macOS Keychain cannot be used (User interaction is not allowed). Start with the location of secrets that you used before: file:/home/me/key.',
    ],
    [
      { code: 'key-immovable', from: keychain, to: file, because: withoutKey },
      'The stream keys of this data folder are encrypted with a key in the keychain, which cannot be moved to the file /home/me/key. The key file /home/me/key does not contain a 256-bit key. Start with the location of secrets that you used before: os.',
    ],
    [
      { code: 'key-immovable', to: keychain, because: silent },
      'The stream keys of this data folder are encrypted with a key in another file, which cannot be moved to the keychain. The keychain has not answered for 60 s. Start with the location of secrets that you used before.',
    ],
  ],
};

test.each(Object.values(words).flat())('the words of %j', (fault, sentence, additions: Additions = {}) => {
  for (const host of ['app', 'headless'] as const) {
    expect(describeSecretsFault(fault, host)).toBe(`${sentence}${additions[host] ?? ''}`);
  }
});
