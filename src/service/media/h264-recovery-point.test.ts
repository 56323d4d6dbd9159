import { expect, test } from 'vitest';
import { markKeyframe } from './h264-recovery-point.ts';

function units(...nals: string[]): Buffer {
  return Buffer.concat(
    nals.map((hex) => {
      const length = Buffer.alloc(4);
      length.writeUInt32BE(hex.length / 2);
      return Buffer.concat([length, Buffer.from(hex, 'hex')]);
    }),
  );
}

const recoveryPoint = '060601c480';

test('an IDR picture or one with an exact recovery point is unchanged', () => {
  for (const picture of [units('0910', '6588'), units(recoveryPoint, '4188')]) expect(markKeyframe(picture, 4)).toBe(picture);
});

test('an unmarked keyframe gets a recovery point, with a length prefix like the others', () => {
  expect(markKeyframe(units('0605ff80', '4188'), 4)).toEqual(units(recoveryPoint, '0605ff80', '4188'));
  expect(markKeyframe(Buffer.from('00024188', 'hex'), 2).toString('hex')).toBe(`0005${recoveryPoint}00024188`);
});

test('a keyframe that is exact some frames later is marked as exact at once', () => {
  // recovery_frame_cnt is 24: 0000 11001 in Exp-Golomb code.
  expect(markKeyframe(units('0910', '0606020cc280', '4188'), 4)).toEqual(units(recoveryPoint, '0910', '4188'));
});
