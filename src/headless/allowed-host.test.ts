import { hostname, networkInterfaces } from 'node:os';
import { expect, test } from 'vitest';
import { isAllowedHost } from './allowed-host.ts';

const loopback = { host: '127.0.0.1', port: 4600 };

test.each(['127.0.0.1:4600', 'localhost:4600', 'LOCALHOST:4600', '[::1]:4600'])('%s is this computer', (header) => {
  expect(isAllowedHost(header, loopback)).toBe(true);
});

test.each([
  undefined,
  '',
  'evil.example:4600',
  '127.0.0.1',
  '127.0.0.1:4601',
  '127.0.0.1.evil.example:4600',
  'localhost.evil.example:4600',
  'localhost:4600@evil.example',
  '192.168.1.2:4600',
  '[::1]:4600:4600',
  '127.0.0.1:4600, evil.example',
])('%s is not', (header) => expect(isAllowedHost(header, loopback)).toBe(false));

test('the port is the one that Tallylight listens on, whichever that is', () => {
  const moved = { host: '127.0.0.1', port: 4601 };
  expect(isAllowedHost('127.0.0.1:4601', moved)).toBe(true);
  expect(isAllowedHost('127.0.0.1:4600', moved)).toBe(false);
});

test('besides loopback, only the address or name given with --host is allowed', () => {
  const binding = { host: 'Studio.lan', port: 80 };
  expect(isAllowedHost('studio.lan', binding)).toBe(true);
  expect(isAllowedHost('studio.lan:80', binding)).toBe(true);
  expect(isAllowedHost('localhost', binding)).toBe(true);
  expect(isAllowedHost('other.lan', binding)).toBe(false);
  expect(isAllowedHost('[fd00::1]:4600', { host: 'fd00::1', port: 4600 })).toBe(true);
});

test('over TLS the port that is omitted is 443', () => {
  const binding = { host: 'studio.lan', port: 443 };
  expect(isAllowedHost('studio.lan', { ...binding, isEncrypted: true })).toBe(true);
  expect(isAllowedHost('studio.lan', binding)).toBe(false);
});

test.each(['0.0.0.0', '::'])("bound to %s, only this computer's addresses and name are allowed", (host) => {
  const binding = { host, port: 4600 };
  expect(isAllowedHost(`${hostname()}:4600`, binding)).toBe(true);
  for (const { address, family } of Object.values(networkInterfaces()).flatMap((entries) => entries ?? [])) {
    expect(isAllowedHost(family === 'IPv6' ? `[${address}]:4600` : `${address}:4600`, binding)).toBe(true);
  }
  expect(isAllowedHost('198.51.100.7:4600', binding)).toBe(false);
  expect(isAllowedHost('evil.example:4600', binding)).toBe(false);
});

test('the name in the URLs of this region is allowed, whatever the service is bound to', () => {
  const names = ['ber-cdn.live.example.com'];
  for (const host of ['127.0.0.1', '0.0.0.0']) {
    const binding = { host, names, port: 4600, isEncrypted: true };
    expect(isAllowedHost('ber-cdn.live.example.com:4600', binding)).toBe(true);
    expect(isAllowedHost('BER-CDN.live.example.com:4600', binding)).toBe(true);
    expect(isAllowedHost('ber-cdn.live.example.com', binding)).toBe(false);
    expect(isAllowedHost('jfk-cdn.live.example.com:4600', binding)).toBe(false);
    expect(isAllowedHost('live.example.com:4600', binding)).toBe(false);
    expect(isAllowedHost('ber-cdn.live.example.com.evil.example:4600', binding)).toBe(false);
  }
});

test.each([
  ['macbook-air.fritz.box', ['macbook-air.fritz.box', 'macbook-air', 'macbook-air.local']],
  ['mac.local', ['mac.local', 'mac']],
  ['Studio.example.com', ['studio.example.com', 'studio', 'studio.local']],
  ['studio', ['studio', 'studio.local']],
])('a computer whose name is %s has these names in its networks', (computerName, names) => {
  const binding = { host: '0.0.0.0', port: 4600, computerName };
  for (const name of names) expect(isAllowedHost(`${name}:4600`, binding)).toBe(true);
  const [label] = names.at(-1)?.split('.') ?? [];
  for (const suffix of ['evil.example', 'local.evil.example', 'local.local', 'box']) {
    expect(isAllowedHost(`${label}.${suffix}:4600`, binding)).toBe(false);
  }
});
