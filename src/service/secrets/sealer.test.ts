import { randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { anyText } from '../../../test/support/any-text.ts';
import { createSealer, masterKeyBytes } from './sealer.ts';

const newKey = () => randomBytes(masterKeyBytes);

test('sealed text opens only for its owner and with the same master key', () => {
  const key = newKey();
  const sealed = createSealer(key).seal('abcd-efgh', 'stream-1');
  expect(createSealer(key).open(sealed, 'stream-1')).toBe('abcd-efgh');
  expect(createSealer(key).open(sealed, 'stream-2')).toBeUndefined();
  expect(createSealer(newKey()).open(sealed, 'stream-1')).toBeUndefined();
});

test('any text opens unchanged, and sealing it twice gives different bytes', () => {
  const sealer = createSealer(newKey());
  fc.assert(
    fc.property(anyText(), fc.string(), (text, owner) => {
      const [one, two] = [sealer.seal(text, owner), sealer.seal(text, owner)];
      expect(sealer.open(one, owner)).toBe(text);
      expect(one.equals(two)).toBe(false);
    }),
  );
});

test('sealed text that was modified, truncated or forged does not open', () => {
  const sealer = createSealer(newKey());
  const sealed = sealer.seal('abcd-efgh', 'stream-1');
  for (let index = 0; index < sealed.length; index++) {
    const tampered = Buffer.from(sealed);
    tampered[index]! ^= 1;
    expect(sealer.open(tampered, 'stream-1')).toBeUndefined();
    expect(sealer.open(sealed.subarray(0, index), 'stream-1')).toBeUndefined();
  }
  fc.assert(fc.property(fc.uint8Array(), (bytes) => sealer.open(bytes, 'stream-1') === undefined));
});

test('the keyed hash and the key check depend only on the secret and the master key', () => {
  const key = newKey();
  const sealer = createSealer(key);
  const other = createSealer(newKey());
  expect(sealer.hash('a')).toEqual(createSealer(key).hash('a'));
  expect(sealer.hash('a')).not.toEqual(sealer.hash('b'));
  expect(sealer.hash('a')).not.toEqual(other.hash('a'));
  expect(sealer.keyCheck).toBe(createSealer(key).keyCheck);
  expect(sealer.keyCheck).not.toBe(other.keyCheck);
});
