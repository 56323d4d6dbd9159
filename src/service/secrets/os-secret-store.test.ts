import { expect, test } from 'vitest';
import { openOsSecretStore } from './os-secret-store.ts';

test.each([
  ['linux', 'libsecret-1.so.0: cannot open shared object file', 'The library libsecret is missing'],
  ['linux', 'Cannot autolaunch D-Bus without X11 $DISPLAY', 'No D-Bus session runs'],
  [
    'linux',
    'The name org.freedesktop.secrets was not provided by any .service files\nmore',
    'No keyring answers (The name org.freedesktop.secrets was not provided by any .service files)',
  ],
  ['darwin', 'User interaction is not allowed.', 'The macOS Keychain cannot be used (User interaction is not allowed)'],
  [
    'win32',
    'The service has not been started.',
    'The Windows Credential Manager cannot be used (The service has not been started)',
  ],
] as const)('on %s, "%s" is told with what to do', async (platform, reason, begins) => {
  const failing = async () => {
    throw new Error(reason);
  };
  const secrets = openOsSecretStore({ platform, load: failing });
  const refusal = {
    code: 'KEYCHAIN_UNAVAILABLE',
    message: expect.stringMatching(new RegExp(`^${begins.replaceAll(/[.()]/g, '\\$&')}.*: .*--secrets memory: `)),
  };
  await expect(secrets.find('x')).rejects.toMatchObject(refusal);
  await expect(secrets.set('x', 'y')).rejects.toMatchObject(refusal);
});

test('a keychain entry is found under our service’s name; none is undefined', async () => {
  const entries = new Map<string, string>();
  const secrets = openOsSecretStore({
    load: async () => ({
      getPassword: async (service, account) => entries.get(`${service}/${account}`) ?? null,
      setPassword: async (service, account, password) => void entries.set(`${service}/${account}`, password),
    }),
  });
  expect(await secrets.find('x')).toBeUndefined();
  await secrets.set('x', 'y');
  expect(await secrets.find('x')).toBe('y');
  expect([...entries.keys()]).toEqual(['Tallylight/x']);
});
