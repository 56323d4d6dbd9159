import { once } from 'node:events';
import { createServer, type Server } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { startOnPort } from './start-on-port.ts';

const servers: Server[] = [];

afterEach(() => {
  for (const server of servers.splice(0)) server.close();
});

async function listen(port: number, host = '127.0.0.1'): Promise<number> {
  const server = createServer();
  server.listen(port, host);
  await once(server, 'listening');
  servers.push(server);
  return (server.address() as { port: number }).port;
}

const names = { host: '127.0.0.1', usual: 1935, purpose: 'RTMP' } as const;
const refuse = (code: string) => Promise.reject(Object.assign(new Error(), { code }));

test('0 is any free port', async () => {
  expect(await startOnPort({ asked: 0, preferred: 1, ...names }, listen)).toBeGreaterThan(0);
});

test('a busy preferred port is replaced by a later one', async () => {
  const busy = await listen(0);
  expect(await startOnPort({ asked: undefined, preferred: busy, ...names }, listen)).toBeGreaterThan(busy);
});

// Both listen there without an error.
test.each([
  ['darwin', '127.0.0.1', '0.0.0.0'],
  ['darwin', '0.0.0.0', '127.0.0.1'],
  ['win32', '0.0.0.0', '127.0.0.1'],
] as const)('on %s a port of %s is busy if another program has it on %s', async (platform, host, other) => {
  const busy = await listen(0, other);
  const start = (port: number) => Promise.resolve(port);
  const choice = { ...names, host };
  expect(await startOnPort({ ...choice, asked: undefined, preferred: busy }, start, platform)).toBeGreaterThan(busy);
  await expect(startOnPort({ ...choice, asked: busy, preferred: 1 }, start, platform)).rejects.toMatchObject({
    code: 'PORT_IN_USE',
  });
  expect(await startOnPort({ ...choice, asked: 0, preferred: busy }, start, platform)).toBe(0);
  // On Linux the system itself refuses the port.
  expect(await startOnPort({ ...choice, asked: busy, preferred: 1 }, start, 'linux')).toBe(busy);
});

test('a port that may not be used is skipped, unless it was requested', async () => {
  const first = 4_600;
  const tried: number[] = [];
  const start = async (port: number) => {
    tried.push(port);
    if (port === first) throw Object.assign(new Error(), { code: 'EADDRINUSE' });
    return port;
  };
  const mayUse = (port: number) => port !== first + 1;
  expect(await startOnPort({ asked: undefined, preferred: first, mayUse, ...names }, start)).toBe(first + 2);
  expect(await startOnPort({ asked: first + 1, preferred: 1, mayUse, ...names }, start)).toBe(first + 1);
  expect(tried).toEqual([first, first + 2, first + 1]);
});

test.each([
  // Below 1024, where only privileged programs may listen.
  { preferred: 443, code: 'EACCES', why: 'no-permission', used: 1935 },
  // Reserved on Windows, with the usual one.
  { preferred: 1900, code: 'EACCES', why: 'no-permission', refusedTo: 2035, used: 0 },
  { preferred: 65_535, code: 'EADDRINUSE', why: 'in-use', refusedFrom: 65_535, used: 1935 },
  { preferred: 443, code: 'EACCES', why: 'no-permission', busy: 1935, used: 1936 },
])('if neither $preferred nor a later port can be used, the usual one is, or any: $used', async (where) => {
  const { preferred, code, why, refusedFrom = 0, refusedTo = 1023, busy, used } = where;
  const moved: string[] = [];
  const start = async (port: number) => {
    if (port === busy) return refuse('EADDRINUSE');
    return port !== 0 && (refusedFrom > 0 ? port >= refusedFrom : port <= refusedTo) ? refuse(code) : port;
  };
  const onMoved = (reason: string) => void moved.push(reason);
  expect(await startOnPort({ ...names, asked: undefined, preferred, onMoved }, start, 'linux')).toBe(used);
  expect(moved).toEqual([why]);
});

test('a requested port that needs permissions is an error that names it, and no other is tried', async () => {
  const tried: number[] = [];
  const start = (port: number) => {
    tried.push(port);
    return refuse('EACCES');
  };
  await expect(startOnPort({ ...names, asked: 443, preferred: 1935 }, start, 'linux')).rejects.toMatchObject({
    code: 'PORT_IN_USE',
    details: { startFault: { code: 'port-refused', purpose: 'RTMP', port: 443, reason: 'no-permission' } },
  });
  expect(tried).toEqual([443]);
});

test('a port that could be used is reported to nobody', async () => {
  const moved: string[] = [];
  const onMoved = (reason: string) => void moved.push(reason);
  await startOnPort({ ...names, asked: undefined, preferred: 1935, onMoved }, (port) => Promise.resolve(port), 'linux');
  expect(moved).toEqual([]);
});

test('a busy requested port is an error that names it', async () => {
  const busy = await listen(0);
  await expect(startOnPort({ asked: busy, preferred: 1935, ...names }, listen)).rejects.toMatchObject({
    code: 'PORT_IN_USE',
    details: { startFault: { code: 'port-refused', purpose: 'RTMP', port: busy, reason: 'in-use' } },
  });
});

test('a port that the RTMP ingest has is not in use by another program', async () => {
  const rtmpPort = await listen(0);
  const moved: string[] = [];
  const choice = { host: '127.0.0.1', rtmpPort, usual: 4600, purpose: 'HTTP' } as const;
  const onMoved = (reason: string) => void moved.push(reason);
  expect(await startOnPort({ ...choice, asked: undefined, preferred: rtmpPort, onMoved }, listen)).not.toBe(rtmpPort);
  expect(moved).toEqual(['rtmp-port']);
  await expect(startOnPort({ ...choice, asked: rtmpPort, preferred: 1 }, listen)).rejects.toMatchObject({
    code: 'PORT_IN_USE',
    details: { startFault: { code: 'port-refused', purpose: 'HTTP', port: rtmpPort, reason: 'rtmp-port' } },
  });
});

test.each(['nowhere.invalid', '192.0.2.1'])(
  'an address that this computer does not have is an error that names it: %s',
  async (address) => {
    const listenThere = async (port: number) => {
      const server = createServer();
      server.listen(port, address);
      await once(server, 'listening');
    };
    await expect(startOnPort({ asked: 0, preferred: 1935, ...names }, listenThere)).rejects.toMatchObject({
      code: 'UNAVAILABLE',
      details: { startFault: { code: 'no-address', address } },
    });
  },
);

test('an IPv6 address on a computer without IPv6 is one that it does not have', async () => {
  const withoutIpv6 = () => Promise.reject(Object.assign(new Error(), { code: 'EAFNOSUPPORT', address: '::' }));
  await expect(startOnPort({ ...names, host: '::', asked: 0, preferred: 1935 }, withoutIpv6, 'linux')).rejects.toMatchObject({
    code: 'UNAVAILABLE',
    details: { startFault: { code: 'no-address', address: '::' } },
  });
});

test('any other failure is passed on', async () => {
  const failure = new Error('no such address');
  await expect(startOnPort({ asked: undefined, preferred: 1, ...names }, () => Promise.reject(failure))).rejects.toBe(failure);
});
