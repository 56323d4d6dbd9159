import { isAscii } from 'node:buffer';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as pause, setTimeout } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { headlessHost } from '../../src/tools/paths.ts';
import { createStream } from '../support/create-stream.ts';
import { readEightSeconds } from '../support/flv-fixture.ts';
import { runHost, runTallylight, startTestHost, type TestHost } from '../support/headless-host.ts';
import { openHostContract } from '../support/host-contract.ts';
import { isFree, sendRequest } from '../support/http-request.ts';
import { publishTags } from '../support/publish-tags.ts';
import { findQuietPort } from '../support/quiet-port.ts';
import { waitUntil } from '../support/wait-until.ts';

/** A running host, for tests that change nothing in it. */
let host: TestHost;
let folders: string;
beforeAll(async () => {
  folders = mkdtempSync(join(tmpdir(), 'tallylight-serve-'));
  host = await startTestHost();
});
afterAll(async () => {
  await host.close();
  rmSync(folders, { recursive: true, force: true });
});

/** A new folder for one test. */
const makeFolder = () => mkdtempSync(join(folders, 'test-'));

/** Another program's server on a loopback port: the one requested, or any. */
async function takePort(port = 0): Promise<{ port: number; server: Server } & AsyncDisposable> {
  const server = createServer().listen(port, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  return { port: address.port, server, [Symbol.asyncDispose]: async () => void server.close() };
}

/** Takes this port as soon as no other test uses it; undefined where a program keeps it for 10 s. */
async function holdPort(port: number): Promise<Awaited<ReturnType<typeof takePort>> | undefined> {
  for (const until = performance.now() + 10_000; ; ) {
    try {
      return await takePort(port);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw error;
      if (performance.now() > until) return undefined;
    }
    await setTimeout(50);
  }
}

test.concurrent('the first line is the ready line, with these keys and free ports', async () => {
  const { apiBaseUrl, ingestBaseUrl, playbackBaseUrl, uiUrl } = host.ready;
  const port = new URL(apiBaseUrl).port;
  expect(host.lines[0]).toBe(JSON.stringify({ event: 'ready', apiBaseUrl, ingestBaseUrl, playbackBaseUrl, uiUrl }));
  expect(apiBaseUrl).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/api$/);
  expect(ingestBaseUrl).toMatch(/^rtmp:\/\/127\.0\.0\.1:\d+\/live$/);
  expect(playbackBaseUrl).toBe(`http://127.0.0.1:${port}/hls`);
  expect(uiUrl).toMatch(new RegExp(`^http://127\\.0\\.0\\.1:${port}/\\?token=[\\w-]{43}$`));
  expect((await fetch(`http://127.0.0.1:${port}/healthz`)).status).toBe(200);
  expect((await host.getEvent('notice')).sentence).toBe('Secrets are kept in memory: stream keys change on every start.');
});

test.concurrent('requested ports are used', async () => {
  const [http, rtmp] = [String(await findQuietPort()), String(await findQuietPort())];
  await using own = await startTestHost({ args: ['--http-port', http, '--rtmp-port', rtmp] });
  expect(new URL(own.ready.apiBaseUrl).port).toBe(http);
  expect(new URL(own.ready.ingestBaseUrl).port).toBe(rtmp);
});

test.concurrent.each(['--http-port', '--rtmp-port'])('a busy %s is an error that names port and option', async (option) => {
  await using busy = await takePort();
  const other = option === '--http-port' ? '--rtmp-port' : '--http-port';
  const run = await runHost([
    '--data-dir',
    makeFolder(),
    '--secrets',
    'memory',
    '--json',
    other,
    '0',
    option,
    String(busy.port),
  ]);
  expect(run.exitCode).toBe(1);
  expect(run.stderr).toMatch(new RegExp(`^Tallylight cannot start: .*\\b${busy.port}\\b.*${option}.*\\n$`));
  expect(JSON.parse(run.stdout)).toMatchObject({ event: 'failed', code: 'PORT_IN_USE' });
});

test.concurrent('one port for HTTP and RTMP is an error that says so', async () => {
  const port = String(await findQuietPort());
  const ports = ['--http-port', port, '--rtmp-port', port];
  expect(await runHost(['--data-dir', makeFolder(), '--secrets', 'memory', ...ports])).toEqual({
    exitCode: 1,
    stdout: '',
    stderr: `Tallylight cannot start: The HTTP port ${port} is already the RTMP port. Choose another with --http-port, or 0 for any free port.\n`,
  });
});

test.concurrent.each([
  {
    args: ['--live-region', 'xyz'],
    sentence:
      "--live-region is invalid: regionChoice must be a region in the list, and xyz isn't. Use automatic, or the code of a region in the list.",
  },
  {
    args: ['--region', 'ber', '--regions', 'ber, jfk'],
    sentence:
      '--regions is invalid: regions[1].urls is required for jfk, since there is no service domain to make the URLs from. Use codes like ber, jfk, each with its ingest and playback URL if they are not made from the service domain.',
  },
  {
    args: ['--region', 'ber'],
    env: { TALLYLIGHT_REGION_NETWORKS: '203.0.113.0/24 jfk' },
    sentence:
      "TALLYLIGHT_REGION_NETWORKS is invalid: regionNetworks[0].region must be a region in the list, and jfk isn't. Use networks with their regions, like 203.0.113.0/24 ber, 2001:db8::/32 jfk.",
  },
])('options that disagree are refused with a sentence: $sentence', async ({ args, env, sentence }) => {
  const folder = ['--data-dir', makeFolder(), '--secrets', 'memory', '--json'];
  const run = await runHost([...folder, '--http-port', '0', '--rtmp-port', '0', ...args], env);
  expect({ ...run, stdout: JSON.parse(run.stdout) }).toEqual({
    exitCode: 1,
    stdout: { event: 'failed', code: 'INVALID_INPUT', message: sentence },
    stderr: `Tallylight cannot start: ${sentence}\n`,
  });
});

/** A host whose default ports are busy, and those it uses. `taken` are the ones held here. */
async function startWithBusyPorts() {
  for (;;) {
    // Other tests start hosts on these ports too: hold them, or know that another program does.
    const taken = await Promise.all([holdPort(4600), holdPort(1935)]);
    const host = await startTestHost({ defaultPorts: true });
    const ports = [new URL(host.ready.apiBaseUrl).port, new URL(host.ready.ingestBaseUrl).port].map(Number) as [number, number];
    // The other program may have ended meanwhile.
    if ((taken[0] || ports[0] !== 4600) && (taken[1] || ports[1] !== 1935)) return { host, ports, taken };
    for (const held of taken) held?.server.close();
    await host[Symbol.asyncDispose]();
  }
}

test.concurrent('when the default ports are busy the next free ones are used and reported', async () => {
  const { host: started, ports, taken } = await startWithBusyPorts();
  await using own = started;
  expect(ports[0]).toBeGreaterThan(4600);
  expect(ports[1]).toBeGreaterThan(1935);
  const said = [(await own.getEvent('notice', 1)).sentence, (await own.getEvent('notice', 2)).sentence];
  expect(said).toContain(`The HTTP port 4600 is in use by another program, so Tallylight uses ${ports[0]}.`);
  expect(said).toContain(`The RTMP port 1935 is in use by another program, so Tallylight uses ${ports[1]}.`);
  for (const held of taken) held?.server.close();
  // A port that is set now is for the next start: nobody knows yet whether it can be used.
  using contract = await openHostContract(own.ready.uiUrl);
  await contract.app.settings.update({ httpPort: 4700 });
  const { notices } = await waitUntil(await contract.app.service.watch(), () => true);
  expect(notices.filter(({ code }) => code === 'port-in-use')).toEqual([
    { code: 'port-in-use', purpose: 'RTMP', preferred: 1935, reason: 'in-use', port: ports[1] },
    { code: 'port-in-use', purpose: 'HTTP', preferred: 4600, reason: 'in-use', port: ports[0] },
  ]);
});

test.concurrent('a store that cannot be opened is named, with the reason', async () => {
  const folder = makeFolder();
  const file = join(folder, 'tallylight.db');
  mkdirSync(file);
  const run = await runHost(['--data-dir', folder, '--http-port', '0', '--rtmp-port', '0', '--secrets', 'memory', '--json']);
  const message = expect.stringContaining(`The store ${file} cannot be opened. E`);
  expect({ ...run, stdout: JSON.parse(run.stdout) }).toEqual({
    exitCode: 1,
    stdout: { event: 'failed', code: 'UNAVAILABLE', message },
    stderr: expect.stringContaining(`Tallylight cannot start: The store ${file} cannot be opened. E`),
  });
});

test.concurrent('a second start on the same data folder is refused with a sentence', async () => {
  const run = await runHost(['--data-dir', host.dataFolder, '--http-port', '0', '--rtmp-port', '0', '--secrets', 'memory']);
  expect(run).toEqual({
    exitCode: 1,
    stdout: '',
    stderr: `Tallylight cannot start: Another Tallylight is using the data folder ${host.dataFolder}. Close it, or choose another folder.\n`,
  });
});

test
  .runIf(process.platform !== 'win32')
  .concurrent('SIGHUP does not end a host without a terminal, as nohup promises; SIGTERM does', async () => {
    await using own = await startTestHost();
    own.hangUp();
    // A host that ends accepts no more connections.
    const health = new URL('/healthz', own.ready.apiBaseUrl);
    for (let round = 0; round < 20; round += 1) {
      expect((await fetch(health, { headers: { connection: 'close' } })).status).toBe(200);
      await pause(50);
    }
    expect(await own.end('SIGTERM')).toBe(0);
  });

test.concurrent('after SIGKILL the next start on the folder works', async () => {
  const dataFolder = makeFolder();
  const killed = await startTestHost({ dataFolder });
  await killed.kill();
  await using again = await startTestHost({ dataFolder });
  expect(again.ready.event).toBe('ready');
});

test
  .runIf(process.platform === 'linux')
  .concurrent('without a keychain it names what is missing and how to get it, and exits with 1', async () => {
    const args = ['--data-dir', makeFolder(), '--http-port', '0', '--rtmp-port', '0', '--secrets', 'os', '--json'];
    const run = await runHost(args, { DBUS_SESSION_BUS_ADDRESS: 'unix:path=/nonexistent', DISPLAY: '' });
    expect(run.exitCode).toBe(1);
    expect(run.stderr).toMatch(/^Tallylight cannot start: .*keyring.*--secrets memory.*\n$/);
    expect(JSON.parse(run.stdout)).toMatchObject({ event: 'failed', code: 'KEYCHAIN_UNAVAILABLE' });
  });

test
  .runIf(process.platform === 'linux')
  .concurrent('without a keychain and the option for its key file, a data folder keeps its stream keys', async () => {
    const dataFolder = makeFolder();
    const keyFile = join(dataFolder, 'key');
    const withFile = { dataFolder, args: ['--secrets', `file:${keyFile}`] };
    const first = await startTestHost(withFile);
    const { id, streamKey } = await createStream(first, { name: 'Sunday show', profiles: [] });
    const apiKey = await first.createApiKey();
    await first.close();
    const forgotten = ['--data-dir', dataFolder, '--http-port', '0', '--rtmp-port', '0', '--json'];
    const noKeychain = { DBUS_SESSION_BUS_ADDRESS: 'unix:path=/nonexistent', DISPLAY: '' };
    const run = await runHost(forgotten, { ...noKeychain, TALLYLIGHT_SECRETS: '' });
    expect(run.exitCode).toBe(1);
    expect(JSON.parse(run.stdout)).toMatchObject({ event: 'failed', code: 'MASTER_KEY_MISSING' });
    expect(run.stderr).toContain(`Start with the location of secrets that you used before: file:${keyFile}.`);
    expect(run.stderr).not.toContain('memory');
    await using again = await startTestHost(withFile);
    const answer = await fetch(`${again.ready.apiBaseUrl}/stream/${id}`, { headers: { authorization: `Bearer ${apiKey}` } });
    expect(await answer.json()).toMatchObject({ id, streamKey });
  });

test
  .runIf(process.env.TALLYLIGHT_TEST_KEYRING)
  .concurrent('with the OS keychain a stream key outlives the process', async () => {
    const dataFolder = makeFolder();
    const start = () => startTestHost({ dataFolder, args: ['--secrets', 'os'] });
    const first = await start();
    const headers = { authorization: `Bearer ${await first.createApiKey()}`, 'content-type': 'application/json' };
    const created = await fetch(`${first.ready.apiBaseUrl}/stream`, { method: 'POST', headers, body: '{"name":"kept"}' });
    const stream = (await created.json()) as { id: string; streamKey: string };
    await first.close();
    await using second = await start();
    const read = await fetch(`${second.ready.apiBaseUrl}/stream/${stream.id}`, { headers });
    expect(await read.json()).toMatchObject({ id: stream.id, streamKey: stream.streamKey });
  });

test.concurrent('API keys created or revoked beside the running service take effect at once', async () => {
  const key = await host.createApiKey('deck');
  expect(key).toMatch(/^\S+$/);
  const list = () => fetch(`${host.ready.apiBaseUrl}/stream`, { headers: { authorization: `Bearer ${key}` } });
  expect((await list()).status).toBe(200);
  expect((await runTallylight(['keys', 'list', '--data-dir', host.dataFolder])).stdout).toContain('deck');
  expect((await runTallylight(['keys', 'revoke', 'deck', '--data-dir', host.dataFolder])).exitCode).toBe(0);
  expect((await list()).status).toBe(401);
});

test
  .runIf(process.platform !== 'win32')
  .concurrent('data folder, logs and store are readable only by the user', async ({ expect }) => {
    const mode = (path: string) => (statSync(join(host.dataFolder, path)).mode & 0o777).toString(8);
    // The log is written in the background.
    await expect
      .poll(() => ({ folder: mode('.'), logs: mode('logs'), log: mode('logs/tallylight.log'), store: mode('tallylight.db') }))
      .toEqual({ folder: '700', logs: '700', log: '600', store: '600' });
  });

test.concurrent('--help names every option, --version is the version, a wrong option is refused', async () => {
  const help = await runHost(['--help']);
  expect(help.exitCode).toBe(0);
  const named = [...help.stdout.matchAll(/^ {2}(?:-\w, )?(--[\w-]+)/gm)].map(([, option]) => option);
  expect(named).toEqual([
    ...['--version', '--data-dir', '--host', '--secrets', '--new-stream-keys', '--log-level', '--json', '--help'],
    ...['--http-port', '--rtmp-port', '--region', '--service-domain'],
    ...['--regions', '--region-networks', '--live-region', '--change-region', '--tls-cert', '--tls-key'],
    ...['--live-window', '--part-length', '--reconnect-window', '--encoder', '--lookahead', '--loudness-target'],
  ]);
  expect(await runHost(['--version'])).toMatchObject({ exitCode: 0, stdout: expect.stringMatching(/^\d+\.\d+\.\d+\n$/) });
  for (const wrong of [
    ['--port', '1'],
    ['--http-port', '65536'],
    ['--http-port', 'x'],
    ['--http-port', '6000'],
    ['--host', ''],
    ['--secrets', 'file'],
    ['extra'],
  ]) {
    const { exitCode, stdout, stderr } = await runHost(wrong);
    expect({ exitCode, stdout }).toEqual({ exitCode: 1, stdout: '' });
    expect(stderr).toMatch(/^error: /);
  }
});

test.concurrent('an invalid log level is refused with the valid ones, also from the environment', async () => {
  const levels = 'Allowed choices are trace, debug, info, warn, error, fatal, silent.';
  expect(await runHost(['--log-level', 'loud'])).toEqual({
    exitCode: 1,
    stdout: '',
    stderr: `error: option '--log-level <level>' argument 'loud' is invalid. ${levels}\n`,
  });
  expect(await runHost([], { TALLYLIGHT_LOG_LEVEL: 'loud' })).toEqual({
    exitCode: 1,
    stdout: '',
    stderr: `error: option '--log-level <level>' value 'loud' from env 'TALLYLIGHT_LOG_LEVEL' is invalid. ${levels}\n`,
  });
});

test.concurrent('the log has the lines of its level', async () => {
  const folder = makeFolder();
  const readLog = (dataFolder: string) => {
    const text = readFileSync(join(dataFolder, 'logs', 'tallylight.log'), 'utf8').trim();
    return text.split('\n').map((line) => JSON.parse(line) as { level: number; msg: string; route?: string });
  };
  for (const [args, env] of [[['--log-level', 'debug']], [[], { TALLYLIGHT_LOG_LEVEL: 'debug' }]] as const) {
    const dataFolder = join(folder, args.join('') || 'env');
    const own = await startTestHost({ dataFolder, args, env });
    await fetch(new URL('/healthz', own.ready.apiBaseUrl));
    await own.close();
    expect(readLog(dataFolder)).toContainEqual(expect.objectContaining({ level: 20, route: '/healthz', status: 200 }));
  }
  const quiet = await startTestHost({ dataFolder: join(folder, 'quiet'), args: ['--log-level', 'error'] });
  await quiet.close();
  // Nothing that severe was logged, so there is no file.
  expect(existsSync(join(folder, 'quiet', 'logs', 'tallylight.log'))).toBe(false);
});

test.concurrent('through npm, stdout has only the ready line, and SIGTERM to npm closes the host with 0', async () => {
  const options = ['--data-dir', makeFolder(), '--http-port', '0', '--rtmp-port', '0', '--secrets', 'memory', '--json'];
  const npm = spawn('npm', ['run', '--silent', 'serve', '--', ...options], { stdio: ['ignore', 'pipe', 'inherit'] });
  const [first] = (await once(createInterface(npm.stdout), 'line')) as [string];
  const { event, apiBaseUrl } = JSON.parse(first) as { event: string; apiBaseUrl: string };
  expect(event).toBe('ready');
  npm.kill('SIGTERM');
  expect(await once(npm, 'exit')).toEqual([0, null]);
  expect(await isFree(apiBaseUrl)).toBe(true);
});

test.concurrent('changes of renditions are printed, and an upgrade to HTTP/2 is ignored', async ({ expect }) => {
  await using own = await startTestHost({ env: { TALLYLIGHT_FFMPEG: '/nowhere/ffmpeg' } });
  const { apiBaseUrl, ingestBaseUrl } = own.ready;
  const authorization = `Bearer ${await own.createApiKey()}`;
  // As curl --http2 and Java's HttpClient request it.
  const upgrade = { Connection: 'Upgrade, HTTP2-Settings', Upgrade: 'h2c', 'HTTP2-Settings': 'AAMAAABkAAQCAAAAAAIAAAAA' };
  const listed = await sendRequest(`${apiBaseUrl}/stream`, { headers: { ...upgrade, authorization } });
  expect(listed).toMatchObject({ status: 200, body: '[]' });

  const profiles = [{ name: '360p', bitrate: 600_000, fps: 30, width: 640, height: 360 }];
  const headers = { authorization, 'content-type': 'application/json' };
  const created = await fetch(`${apiBaseUrl}/stream`, {
    method: 'POST',
    headers,
    body: JSON.stringify({ name: 'Sunday show', profiles }),
  });
  const { id: streamId, streamKey } = (await created.json()) as { id: string; streamKey: string };
  await publishTags({ port: Number(new URL(ingestBaseUrl).port), streamKey }, readEightSeconds(), { speed: 8 });
  expect(await own.getEvent('renditions')).toMatchObject({
    event: 'renditions',
    streamId,
    streamName: 'Sunday show',
    kind: 'given-up',
    renditions: ['360p'],
  });
  // The log is written in the background.
  await expect
    .poll(() => readFileSync(join(own.dataFolder, 'logs', 'tallylight.log'), 'utf8'))
    .toMatch(new RegExp(`"streamId":"${streamId}".*"code":"given-up"`));
});

test.concurrent('without --json the lines are for a person', async () => {
  const child = spawn(
    process.execPath,
    ['src/tools/serve.ts', '--data-dir', makeFolder(), '--http-port', '0', '--rtmp-port', '0', '--secrets', 'memory'],
    {
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  );
  // Both lines, in as many pieces as they come.
  let said = '';
  for await (const piece of child.stdout.iterator({ destroyOnReturn: false })) {
    said += piece;
    if (said.split('\n').length > 2) break;
  }
  expect(said).toMatch(/^Tallylight \d+\.\d+\.\d+ is running\. Press Ctrl-C to stop it\.\n {2}Open in a browser {2}http:/);
  child.kill('SIGTERM');
  expect(await once(child, 'exit')).toEqual([0, null]);
});

test('the built programs are ASCII, so that V8 keeps their text at one byte per character', () => {
  const folder = dirname(headlessHost);
  const programs = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.js'));
  expect(programs).toContain('headless.js');
  expect(programs.filter((name) => !isAscii(readFileSync(join(folder, name))))).toEqual([]);
});
