import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { killChild } from '../service/lib/kill-child.ts';

/** A separate keyring for tests. */
export interface TestKeyring {
  /** The environment variables that a process needs to use it. */
  env: { DBUS_SESSION_BUS_ADDRESS: string };
  /** Locks it, as before a login; nobody can be asked for its password. */
  lock(): Promise<void>;
  /** Unlocks it, as a login does. */
  unlock(): Promise<void>;
  close(): Promise<void>;
}

const readyTimeoutMs = 10_000;

/** Asks D-Bus itself, with `dbus-send`, which starts no keyring. It fails while there is none. */
const ownerOfSecrets = [
  ...['--session', '--print-reply', '--dest=org.freedesktop.DBus', '/org/freedesktop/DBus'],
  ...['org.freedesktop.DBus.GetNameOwner', 'string:org.freedesktop.secrets'],
];

/**
 * Starts a D-Bus session with an unlocked gnome-keyring and its own home folder. The user's keyring is never touched.
 *
 * @throws when either does not start
 */
export async function startTestKeyring(): Promise<TestKeyring> {
  const home = mkdtempSync(join(tmpdir(), 'tallylight-keyring-'));
  const runtime = join(home, 'run');
  mkdirSync(runtime, { mode: 0o700 });
  const children: ChildProcess[] = [];
  const close = async () => {
    for (const child of children.reverse()) await end(child);
    rmSync(home, { recursive: true, force: true });
  };
  const env = { ...process.env, HOME: home, XDG_DATA_HOME: join(home, 'data'), XDG_RUNTIME_DIR: runtime };
  try {
    const bus = spawn('dbus-daemon', ['--session', '--nofork', '--print-address=1'], {
      env,
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    children.push(bus);
    await once(bus, 'spawn');
    const [address] = (await once(createInterface(bus.stdout), 'line', { signal: AbortSignal.timeout(readyTimeoutMs) })) as [
      string,
    ];
    const busEnv = { DBUS_SESSION_BUS_ADDRESS: address };

    const start = async () => {
      const keyring = spawn('gnome-keyring-daemon', ['--unlock', '--foreground', '--components=secrets'], {
        env: { ...env, ...busEnv },
        stdio: ['pipe', 'ignore', 'ignore'],
      });
      children.push(keyring);
      await once(keyring, 'spawn');
      keyring.stdin?.end('test');
      await waitUntilUsable(busEnv);
    };
    await start();
    return {
      env: busEnv,
      lock: () => lockCollection({ ...env, ...busEnv }),
      async unlock() {
        const keyring = children.pop();
        if (keyring) await end(keyring);
        await start();
      },
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

/** Secret Service API, `Service.Lock`. */
async function lockCollection(env: NodeJS.ProcessEnv): Promise<void> {
  const call = ['--session', '--print-reply', '--dest=org.freedesktop.secrets', '/org/freedesktop/secrets'];
  const collection = 'array:objpath:/org/freedesktop/secrets/collection/login';
  const child = spawn('dbus-send', [...call, 'org.freedesktop.Secret.Service.Lock', collection], { env, stdio: 'ignore' });
  const [code] = await once(child, 'exit');
  if (code !== 0) throw new Error('The keyring for the tests could not be locked.');
}

/**
 * Polls the keyring in a separate process until it responds, so that this process's environment is unchanged. It is asked only once it is
 * on the bus: before that, D-Bus would start another one, which nobody can unlock.
 */
async function waitUntilUsable(busEnv: TestKeyring['env']) {
  const keytar = createRequire(import.meta.url).resolve('keytar');
  const script = `require(${JSON.stringify(keytar)}).setPassword('tallylight-test', 'ready', 'yes')`;
  const deadlineMs = Date.now() + readyTimeoutMs;
  const env = { ...process.env, ...busEnv };
  const succeeds = async (program: string, args: readonly string[]) =>
    (await once(spawn(program, args, { env, stdio: 'ignore' }), 'exit'))[0] === 0;
  for (;;) {
    if ((await succeeds('dbus-send', ownerOfSecrets)) && (await succeeds(process.execPath, ['-e', script]))) return;
    if (Date.now() > deadlineMs) throw new Error('The keyring for the tests does not respond.');
    await sleep(100);
  }
}

async function end(child: ChildProcess) {
  if (child.exitCode !== null || child.signalCode !== null || child.pid === undefined) return;
  const ended = once(child, 'exit');
  killChild(child, 'SIGTERM');
  const stubborn = setTimeout(() => killChild(child, 'SIGKILL'), 2_000);
  await ended;
  clearTimeout(stubborn);
}
