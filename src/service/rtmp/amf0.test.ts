import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Amf0Value, formatAmf0, parseAmf0, parseLeadingAmf0String } from './amf0.ts';
import { RtmpProtocolError } from './protocol-error.ts';

const bounds = { maxDepth: 16, maxValues: 1_000 };

function parseHex(text: string): Amf0Value[] {
  return parseAmf0(Buffer.from(text.replaceAll(' ', ''), 'hex'), bounds);
}

test.each<[Amf0Value, string]>([
  [1.5, '00 3ff8000000000000'],
  [true, '01 01'],
  [false, '01 00'],
  ['ä', '02 0002 c3a4'],
  [{ a: 1, b: null }, '03 0001 61 00 3ff0000000000000 0001 62 05 0000 09'],
  [{ '': null }, '03 0000 05 0000 09'],
  [null, '05'],
  [undefined, '06'],
  [new Map<string, Amf0Value>([['a', 'b']]), '08 00000001 0001 61 02 0001 62 0000 09'],
  [['a', undefined], '0a 00000002 02 0001 61 06'],
  [new Date(0), '0b 0000000000000000 0000'],
])('%s is formatted and parsed as %s', (value, text) => {
  expect(formatAmf0(value).toString('hex')).toBe(text.replaceAll(' ', ''));
  expect(parseHex(text)).toEqual([value]);
});

test('more values than the limit are rejected, however few bytes each takes', () => {
  const most = { maxDepth: 2, maxValues: 100 };
  const over = new RtmpProtocolError('There are more than 100 AMF0 values in one message.');
  const list = (count: number) => formatAmf0(Array<null>(count).fill(null));
  expect(parseAmf0(Buffer.alloc(100, 5), most)).toHaveLength(100);
  expect(() => parseAmf0(Buffer.alloc(101, 5), most)).toThrow(over);
  expect(parseAmf0(list(99), most)).toHaveLength(1);
  expect(() => parseAmf0(list(100), most)).toThrow(over);
  expect(() => parseAmf0(formatAmf0(new Map(Array.from({ length: 100 }, (_, index) => [`${index}`, 1]))), most)).toThrow(over);
});

test('an array that claims more values than the limit is rejected before it is read', () => {
  expect(() => parseHex('0a ffffffff')).toThrow(new RtmpProtocolError('There are more than 1000 AMF0 values in one message.'));
});

test('an object ends only where no property is named', () => {
  expect(() => parseHex('03 0001 61 09')).toThrow(new RtmpProtocolError('AMF0 type 9 is not supported.'));
});

test('strings from 65 536 bytes are long strings', () => {
  const atBound = 'a'.repeat(65_535);
  const over = 'a'.repeat(65_536);
  expect(formatAmf0(atBound).subarray(0, 3)).toEqual(Buffer.from([2, 0xff, 0xff]));
  expect(formatAmf0(over).subarray(0, 5)).toEqual(Buffer.from([0x0c, 0, 1, 0, 0]));
  expect(parseAmf0(formatAmf0(atBound, over), { ...bounds, maxDepth: 1 })).toEqual([atBound, over]);
});

test('types that we never write are read as the closest type we have', () => {
  expect(parseHex('0d')).toEqual([undefined]);
  expect(parseHex('0f 00000003 3c612f')).toEqual(['<a/']);
  expect(parseHex('10 0002 5858 0001 61 05 0000 09')).toEqual([{ a: null }]);
});

test('the count of an ECMA array is only a hint', () => {
  expect(parseHex('08 00000000 0001 61 05 0001 62 05 0000 09')).toEqual([
    new Map([
      ['a', null],
      ['b', null],
    ]),
  ]);
});

test('a property named __proto__ is a property', () => {
  const [object] = parseHex('03 0009 5f5f70726f746f5f5f 03 0001 61 05 0000 09 0000 09');
  expect(Object.keys(object as object)).toEqual(['__proto__']);
  expect(Object.getPrototypeOf(object)).toBe(null);
});

test.each([
  ['a reference', '03 0001 61 07 0000 0000 09'],
  ['a movie clip', '04'],
  ['a record set', '0e'],
  ['a change to AMF3', '11 01'],
  ['an unknown type', 'ff'],
  ['an end without an object', '09'],
  ['a number cut short', '00 3ff8'],
  ['a string cut short', '02 0005 61'],
  ['a string without its length', '02 00'],
  ['an object without its end', '03 0001 61 05'],
  ['an ECMA array without its end', '08 00000001 0001 61 05'],
  ['a strict array of more values than bytes', '0a ffffffff 05'],
  ['a date cut short', '0b 0000000000000000 00'],
])('%s is rejected', (_, text) => {
  expect(() => parseHex(text)).toThrow(RtmpProtocolError);
});

test.each<[string, Buffer, Buffer]>([
  ['objects', Buffer.from('03000161', 'hex'), Buffer.from('000009', 'hex')],
  ['ECMA arrays', Buffer.from('0800000001000161', 'hex'), Buffer.from('000009', 'hex')],
  ['strict arrays', Buffer.from('0a00000001', 'hex'), Buffer.alloc(0)],
])('%s may be nested 16 deep, and no deeper', (_, open, close) => {
  const nested = (depth: number) =>
    Buffer.concat([...Array<Buffer>(depth).fill(open), Buffer.from([5]), ...Array<Buffer>(depth).fill(close)]);
  expect(parseAmf0(nested(16), bounds).length).toBe(1);
  expect(() => parseAmf0(nested(17), bounds)).toThrow(new RtmpProtocolError('AMF0 values are nested more than 16 deep.'));
  expect(() => parseAmf0(nested(100_000), bounds)).toThrow(RtmpProtocolError);
});

test('the leading string is parsed without reading what follows it', () => {
  expect(parseLeadingAmf0String(Buffer.from('0200026869ff', 'hex'))).toEqual({ value: 'hi', endsAt: 5 });
  for (const text of ['', '02', '0200', '02000561', '05']) {
    expect(parseLeadingAmf0String(Buffer.from(text, 'hex'))).toBeUndefined();
  }
});

const { value: someValue } = fc.letrec<{ value: Amf0Value }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 4, depthIdentifier: 'amf0' },
    fc.double(),
    fc.boolean(),
    fc.string({ unit: 'grapheme' }),
    fc.constantFrom(null, undefined),
    fc.date(),
    fc.array(tie('value'), { maxLength: 4 }),
    fc.dictionary(fc.string({ minLength: 1 }), tie('value'), { maxKeys: 4 }),
    fc
      .uniqueArray(fc.tuple(fc.string({ minLength: 1 }), tie('value')), { maxLength: 4, selector: ([name]) => name })
      .map((entries) => new Map(entries)),
  ),
}));

test('formatted values parse back', () => {
  fc.assert(
    fc.property(fc.array(someValue), (values) => {
      expect(parseAmf0(formatAmf0(...values), bounds)).toEqual(values);
    }),
  );
});

test('random bytes are parsed or rejected, and cause no other error', () => {
  const nearAmf0 = fc.array(fc.oneof(fc.constantFrom(0, 1, 2, 3, 5, 8, 9, 10, 12, 16), fc.nat(255)), { maxLength: 80 });
  fc.assert(
    fc.property(nearAmf0, (bytes) => {
      try {
        parseAmf0(Buffer.from(bytes), bounds);
      } catch (error) {
        expect(error).toBeInstanceOf(RtmpProtocolError);
      }
    }),
    { numRuns: 5000 },
  );
});
