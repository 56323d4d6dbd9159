import fc from 'fast-check';
import { expect, test } from 'vitest';
import { findCaptureStamp, formatCaptureStamp, insertCaptureStamp } from './h264-capture-stamp.ts';
import { withLengthPrefix } from './nal-unit.ts';

const stamp = { capturedAtMs: Date.UTC(2030, 0, 1, 12, 0, 0, 40), encodedAtMs: Date.UTC(2030, 0, 1, 12, 0, 0, 87) };
/** SEI, user_data_unregistered, 32 bytes: UUID and both times, escaped after each two zeros; then the trailing bits. */
const nalUnit = '060520' + '48be5db142c14991987e89575055fc54' + '00000301b8dd58e228' + '00000301b8dd58e257' + '80';

function units(...nals: string[]): Buffer {
  return Buffer.concat(nals.map((hex) => withLengthPrefix(Buffer.from(hex, 'hex'), 4)));
}

test('a stamp is one user data message with both times, free of start codes', () => {
  expect(formatCaptureStamp(stamp).toString('hex')).toBe(nalUnit);
});

test('a stamp is inserted right before the first slice, after other messages, and parses back', () => {
  const accessUnit = units('0910', '0605021234', '6588', '6589');
  const stamped = insertCaptureStamp(accessUnit, 4, stamp);
  expect(stamped).toEqual(units('0910', '0605021234', nalUnit, '6588', '6589'));
  expect(findCaptureStamp(stamped, 4)).toEqual(stamp);
  expect(findCaptureStamp(accessUnit, 4)).toBeUndefined();
});

test('length prefixes of one and two bytes are kept', () => {
  const short = insertCaptureStamp(Buffer.from('026588', 'hex'), 1, stamp);
  expect(short.toString('hex')).toBe(`${(nalUnit.length / 2).toString(16)}${nalUnit}026588`);
  expect(findCaptureStamp(short, 1)).toEqual(stamp);
  expect(findCaptureStamp(insertCaptureStamp(Buffer.from('00026588', 'hex'), 2, stamp), 2)).toEqual(stamp);
});

test('a stamp is found after other messages in its NAL unit, even long ones', () => {
  const long = `05ff2d${'aa'.repeat(300)}`;
  expect(findCaptureStamp(units(`06${long}${nalUnit.slice(2)}`, '6588'), 4)).toEqual(stamp);
});

test.each([
  ['another UUID', nalUnit.replace('48be', '48bf')],
  ['a shorter payload', nalUnit.replace('060520', '06051f')],
  ['a truncated message', nalUnit.slice(0, 50)],
  ['times out of range', `06052048be5db142c14991987e89575055fc54${'ff'.repeat(16)}80`],
])('%s is not a stamp', (_, hex) => {
  expect(findCaptureStamp(units(hex, '6588'), 4)).toBeUndefined();
});

test('anything after the first slice is ignored', () => {
  expect(findCaptureStamp(units('6588', nalUnit), 4)).toBeUndefined();
});

test('any time parses back, and no bytes cause an error', () => {
  const time = fc.integer({ min: 0, max: Number.MAX_SAFE_INTEGER });
  fc.assert(
    fc.property(time, time, (capturedAtMs, encodedAtMs) => {
      const unit = formatCaptureStamp({ capturedAtMs, encodedAtMs });
      expect([0, 1, 2].filter((last) => unit.includes(Buffer.from([0, 0, last])))).toEqual([]);
      expect(findCaptureStamp(units(unit.toString('hex'), '6588'), 4)).toEqual({ capturedAtMs, encodedAtMs });
    }),
  );
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 80 }), fc.constantFrom(1, 2, 4), (bytes, lengthBytes) => {
      const framed = Buffer.concat([units(`06${Buffer.from(bytes).toString('hex')}`), units('6588')]);
      expect(() => findCaptureStamp(framed, 4)).not.toThrow();
      expect(() => findCaptureStamp(Buffer.from(bytes), lengthBytes as 1 | 2 | 4)).not.toThrow();
    }),
  );
});
