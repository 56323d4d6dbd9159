import { expect, test } from 'vitest';
import { recoveryPrefix } from './recovery-point.ts';

function units(...nals: string[]): Buffer {
  return Buffer.concat(
    nals.map((hex) => {
      const length = Buffer.alloc(4);
      length.writeUInt32BE(hex.length / 2);
      return Buffer.concat([length, Buffer.from(hex, 'hex')]);
    }),
  );
}

test('an IDR picture, or one with a recovery point of its own, is left as it is', () => {
  expect(recoveryPrefix(units('0910', '6588'), 4)).toHaveLength(0);
  expect(recoveryPrefix(units('060601c480', '4188'), 4)).toHaveLength(0);
});

test('a keyframe that says so nowhere gets a recovery point, with a length prefix as long as the others', () => {
  expect(recoveryPrefix(units('0605ff80', '4188'), 4).toString('hex')).toBe('00000005060601c480');
  expect(recoveryPrefix(Buffer.from('00024188', 'hex'), 2).toString('hex')).toBe('0005060601c480');
});
