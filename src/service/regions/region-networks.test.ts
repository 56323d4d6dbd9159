import { expect, test } from 'vitest';
import { indexNetworks } from './region-networks.ts';

const find = indexNetworks([
  { network: '10.0.0.0/8', region: 'ber' },
  { network: '10.1.2.3/32', region: 'sin' },
  { network: '10.1.0.0/16', region: 'jfk' },
  // Bits beyond the prefix mean nothing.
  { network: '172.16.7.9/12', region: 'ams' },
  { network: '2001:db8::/32', region: 'ber' },
  { network: '2001:DB8:1::/48', region: 'jfk' },
]);

test.each([
  ['10.9.9.9', 'ber'],
  ['10.1.9.9', 'jfk'],
  ['10.1.2.3', 'sin'],
  ['::ffff:10.1.2.3', 'sin'],
  ['172.31.255.255', 'ams'],
  ['172.32.0.0', undefined],
  ['11.0.0.0', undefined],
  ['2001:db8:2::1', 'ber'],
  ['2001:db8:1:ffff::1%eth0', 'jfk'],
  ['2001:db9::', undefined],
  ['::1', undefined],
  ['', undefined],
  ['not an address', undefined],
])('%s is nearest to %s: the longest prefix wins', (address, region) => {
  expect(find(address)).toBe(region);
});

test('a network of all addresses is of its own family', () => {
  const family = indexNetworks([
    { network: '0.0.0.0/0', region: 'ber' },
    { network: '::/0', region: 'jfk' },
  ]);
  expect(['192.0.2.1', '::ffff:192.0.2.1', '2001:db8::1', '::'].map(family)).toEqual(['ber', 'ber', 'jfk', 'jfk']);
  expect(indexNetworks([{ network: '::/0', region: 'jfk' }])('192.0.2.1')).toBeUndefined();
});
