import { expect, test } from 'vitest';
import { openOsSecretStore } from './os-secret-store.ts';

const hints =
  'Or start with --secrets file:PATH to keep the key in a file, or with --secrets memory to keep stream keys only until Tallylight ends.';

test.each([
  [
    'linux',
    'Cannot autolaunch D-Bus without X11 $DISPLAY',
    'The keychain needs a D-Bus session, and none is running. Log in to a desktop, or start with dbus-run-session and unlock a keyring such as gnome-keyring in it.',
  ],
  [
    'linux',
    'Could not connect: No such file or directory',
    'The keychain needs a D-Bus session, and none is running. Log in to a desktop, or start with dbus-run-session and unlock a keyring such as gnome-keyring in it.',
  ],
  [
    'linux',
    'The name org.freedesktop.secrets was not provided by any .service files\nmore',
    'No keyring service is running. Install and unlock one, such as gnome-keyring or KWallet (Debian and Ubuntu: apt-get install gnome-keyring).',
  ],
  ['linux', 'Prompt dismissed.\nmore', 'The keyring refused (Prompt dismissed). Unlock it, then start again.'],
  [
    'darwin',
    'User interaction is not allowed.',
    'The macOS Keychain cannot be used (User interaction is not allowed). Unlock the login keychain and allow Tallylight to use it.',
  ],
  [
    'win32',
    'The service has not been started.',
    'The Windows Credential Manager cannot be used (The service has not been started). Start the "Credential Manager" service.',
  ],
] as const)('on %s, "%s" is explained with advice', async (platform, reason, sentence) => {
  const refusing = async () => {
    throw new Error(reason);
  };
  const keytar = { getPassword: refusing, setPassword: refusing, findCredentials: refusing };
  const secrets = openOsSecretStore({ platform, load: async () => keytar });
  const refusal = { code: 'KEYCHAIN_UNAVAILABLE', message: `${sentence} ${hints}` };
  await expect(secrets.find('x')).rejects.toMatchObject(refusal);
  if (platform !== 'linux') await expect(secrets.findAll?.('x')).rejects.toMatchObject(refusal);
  await expect(secrets.set('x', 'y')).rejects.toMatchObject(refusal);
});

test('if keytar cannot be loaded on Linux, the error names libsecret and lists no folders', async () => {
  const load = async () => {
    throw new Error('Failed to load keytar native addon, checked ["../build/Release"] on prebuilds/linux-x64');
  };
  await expect(openOsSecretStore({ platform: 'linux', load, instead: '' }).find('x')).rejects.toMatchObject({
    message:
      'The keychain needs the library libsecret, which is missing. Install it (Debian and Ubuntu: apt-get install libsecret-1-0 gnome-keyring; Fedora: dnf install libsecret gnome-keyring).',
  });
});

test('a lost key is given up with the other options, which say which data folder', () => {
  expect(openOsSecretStore().whenLost).toBe(
    'Unlock the keychain, or log in as the user whose keychain has the key, and start again. If the key is lost, run "npm run serve -- --new-stream-keys" once, with all your other options added. All streams get new stream keys.',
  );
});

test('a keychain that never answers times out', async () => {
  const never = () => new Promise<never>(() => {});
  const secrets = openOsSecretStore({
    load: async () => ({ getPassword: never, setPassword: never, findCredentials: never }),
    timeoutMs: 20,
    instead: '',
  });
  await expect(secrets.find('x')).rejects.toMatchObject({
    code: 'KEYCHAIN_UNAVAILABLE',
    message: 'The keychain has not answered for 0.02 s. Unlock it, then start again.',
  });
});

test("a keychain entry is found under our service's name; none is undefined", async () => {
  const entries = new Map<string, string>();
  const secrets = openOsSecretStore({
    platform: 'darwin',
    load: async () => ({
      getPassword: async (service, account) => entries.get(`${service}/${account}`) ?? null,
      setPassword: async (service, account, password) => void entries.set(`${service}/${account}`, password),
      findCredentials: async (service) => {
        const own = [...entries].filter(([name]) => name.startsWith(`${service}/`));
        return own.map(([name, password]) => ({ account: name.slice(service.length + 1), password }));
      },
    }),
  });
  expect(await secrets.find('x')).toBeUndefined();
  await secrets.set('x', 'y');
  expect(await secrets.find('x')).toBe('y');
  expect([...entries.keys()]).toEqual(['Tallylight/x']);
  await secrets.set('x of another', 'z');
  await secrets.set('other', 'z');
  expect(await secrets.findAll?.('x')).toEqual(['y', 'z']);
});
