import { beforeEach, expect, test } from 'vitest';
import { listOnly } from '../../../test/support/own-network.ts';
import { explainConnectError } from './connect-failure.ts';

const failWith = (code: string) => Object.assign(new Error(`connect ${code}`), { code });
const ingest = { host: 'live.example.com', port: 1935 };
const address = 'live.example.com:1935';

beforeEach(() => listOnly('192.0.2.1'));

test.each([
  ['a name that does not exist', failWith('ENOTFOUND'), { code: 'name-not-found', host: 'live.example.com' }],
  ['a name server that does not answer', failWith('EAI_AGAIN'), { code: 'lookup-failed', host: 'live.example.com' }],
  ['a port nobody listens at', failWith('ECONNREFUSED'), { code: 'connection-refused', address }],
  ['no network', failWith('ENETUNREACH'), { code: 'unreachable', address, reason: 'ENETUNREACH' }],
  ['no route', failWith('EHOSTUNREACH'), { code: 'unreachable', address, reason: 'EHOSTUNREACH' }],
  ['no answer to the SYN', failWith('ETIMEDOUT'), { code: 'unreachable', address, reason: 'ETIMEDOUT' }],
  ['an error without a code', new Error('Odd.'), { code: 'unreachable', address, reason: 'UNKNOWN' }],
  [
    'no IPv6, and IPv4 refused',
    new AggregateError([failWith('ENETUNREACH'), failWith('ECONNREFUSED')]),
    { code: 'connection-refused', address },
  ],
  [
    'no IPv6, and IPv4 without an answer',
    new AggregateError([failWith('ETIMEDOUT'), failWith('ENETUNREACH')]),
    { code: 'unreachable', address, reason: 'ETIMEDOUT' },
  ],
])('%s', (_, error, failure) => {
  expect(explainConnectError(error, ingest)).toEqual(failure);
});

test.each([
  ['was found before', { wasFound: true }, ['192.0.2.1']],
  ['is looked up without a network', {}, ['fe80::1']],
])('a name that %s is not mistyped: the lookup failed', (_, known, addresses) => {
  listOnly(...addresses);
  expect(explainConnectError(failWith('ENOTFOUND'), { ...ingest, ...known })).toEqual({
    code: 'lookup-failed',
    host: 'live.example.com',
  });
});

test('an IPv6 address is shown as in a URL', () => {
  expect(explainConnectError(failWith('ECONNREFUSED'), { host: '::1', port: 1935 })).toEqual({
    code: 'connection-refused',
    address: '[::1]:1935',
  });
});
