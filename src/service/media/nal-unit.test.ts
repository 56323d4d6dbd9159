import { expect, test } from 'vitest';
import { nalUnits, surveyNalHeaders, withEmulationPrevention, withoutEmulationPrevention } from './nal-unit.ts';

test.each([
  [
    'two',
    '00000002' + '65aa' + '00000001' + '41',
    [
      ['65aa', 0],
      ['41', 6],
    ],
  ],
  [
    'two, and empty ones',
    '00000000' + '00000002' + '65aa' + '00000000' + '00000001' + '41' + '00000000',
    [
      ['65aa', 4],
      ['41', 14],
    ],
  ],
  ['one, and another that is cut off', '00000002' + '65aa' + '00000003' + '4101', [['65aa', 0]]],
  ['one, and a prefix that is cut off', '00000002' + '65aa' + '0000', [['65aa', 0]]],
])('only whole NAL units are read from an access unit of %s', (_name, hex, found) => {
  const read = [...nalUnits(Buffer.from(hex, 'hex'), 4)];
  expect(read.map(({ bytes, position }) => [bytes.toString('hex'), position])).toEqual(found);
  expect(read.map(({ type }) => type)).toEqual(read.map(({ bytes }) => bytes.readUInt8(0) & 0x1f));
});

test('no more NAL units are read than a picture may have', () => {
  expect([...nalUnits(Buffer.from('0141'.repeat(4097), 'hex'), 1)]).toHaveLength(4096);
});

test.each<[string, string, ReturnType<typeof surveyNalHeaders>, number[]]>([
  ['nothing', '', 'broken', []],
  ['empty NAL units', '0000', 'broken', []],
  ['two NAL units, and an empty one between', '0265aa' + '00' + '0141', 'padded', [0x65, 0x41]],
  ['a NAL unit, and an empty one after it', '0165' + '00', 'padded', [0x65]],
  ['a NAL unit that is cut off', '0365aa', 'broken', [0x65]],
  ['as many as a picture may have', '0141'.repeat(4096), 'whole', Array(4096).fill(0x41)],
  ['more than a picture may have', '0141'.repeat(4097), 'broken', Array(4096).fill(0x41)],
])('the structure of an access unit of %s, and its headers', (_name, hex, structure, headers) => {
  const seen: number[] = [];
  expect(surveyNalHeaders(Buffer.from(hex, 'hex'), 1, (header) => seen.push(header))).toBe(structure);
  expect(seen).toEqual(headers);
});

test.each([
  ['00000001', '0000030001'],
  ['000003', '00000303'],
  ['000000000000', '0000030000030000'],
  ['000004000005', '000004000005'],
  // A 3 is a byte like any other unless it follows two zeros.
  ['0003', '0003'],
  ['00010003', '00010003'],
])('no start code appears in %s: it is sent as %s, and read back', (bytes, sent) => {
  expect(withEmulationPrevention(Buffer.from(bytes, 'hex')).toString('hex')).toBe(sent);
  expect(withoutEmulationPrevention(Buffer.from(sent, 'hex')).toString('hex')).toBe(bytes);
});
