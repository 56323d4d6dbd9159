import { expect, test } from 'vitest';
import { openOsSecretStore } from './os-secret-store.ts';

test.each([
  ['linux', 'Cannot autolaunch D-Bus without X11 $DISPLAY', { code: 'dbus-missing' }],
  ['linux', 'Could not connect: No such file or directory', { code: 'dbus-missing' }],
  ['linux', 'The name org.freedesktop.secrets was not provided by any .service files\nmore', { code: 'keyring-missing' }],
  ['linux', 'Prompt dismissed.\nmore', { code: 'keychain-refused', keychain: 'keyring', reason: 'Prompt dismissed' }],
  [
    'darwin',
    'User interaction is not allowed.',
    { code: 'keychain-refused', keychain: 'macos-keychain', reason: 'User interaction is not allowed' },
  ],
  [
    'win32',
    'The service has not been started.',
    { code: 'keychain-refused', keychain: 'credential-manager', reason: 'The service has not been started' },
  ],
] as const)('on %s, "%s" is %j', async (platform, reason, fault) => {
  const refusing = async () => {
    throw new Error(reason);
  };
  const keytar = { getPassword: refusing, setPassword: refusing, findCredentials: refusing };
  const secrets = openOsSecretStore({ platform, load: async () => keytar });
  const refusal = { code: 'KEYCHAIN_UNAVAILABLE', details: { secretsFault: fault } };
  await expect(secrets.find('x')).rejects.toMatchObject(refusal);
  if (platform !== 'linux') await expect(secrets.findAll?.('x')).rejects.toMatchObject(refusal);
  await expect(secrets.set('x', 'y')).rejects.toMatchObject(refusal);
});

test('if keytar cannot be loaded on Linux, libsecret is missing', async () => {
  const load = async () => {
    throw new Error('Failed to load keytar native addon, checked ["../build/Release"] on prebuilds/linux-x64');
  };
  await expect(openOsSecretStore({ platform: 'linux', load }).find('x')).rejects.toMatchObject({
    details: { secretsFault: { code: 'libsecret-missing' } },
  });
});

test('a keychain that never answers times out', async () => {
  const never = () => new Promise<never>(() => {});
  const secrets = openOsSecretStore({
    load: async () => ({ getPassword: never, setPassword: never, findCredentials: never }),
    timeoutMs: 20,
  });
  await expect(secrets.find('x')).rejects.toMatchObject({
    code: 'KEYCHAIN_UNAVAILABLE',
    details: { secretsFault: { code: 'keychain-silent', forMs: 20 } },
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
