import { expect, test } from 'vitest';
import { HdColours } from './hd-colours.ts';
import { blackPicture } from './i420.ts';

/** Colour bars at 75 %: in BT.601 with limited and with full range, and in BT.709 with limited range. */
const bars = {
  white: { sd: [180, 128, 128], full: [191, 128, 128], hd: [180, 128, 128] },
  black: { sd: [16, 128, 128], full: [0, 128, 128], hd: [16, 128, 128] },
  red: { sd: [65, 100, 212], full: [57, 96, 224], hd: [51, 109, 212] },
  green: { sd: [112, 72, 58], full: [112, 65, 48], hd: [133, 63, 52] },
  blue: { sd: [35, 212, 114], full: [22, 224, 112], hd: [28, 212, 120] },
} as const;

/** A picture of 6 × 4 with this colour in an area of 2 × 2, converted; its luma and colours. */
function convert([y, u, v]: readonly [number, number, number], colours: Pick<VideoColorSpace, 'matrix' | 'fullRange'>) {
  const picture = blackPicture({ width: 6, height: 4 });
  for (const at of [14, 15, 20, 21]) picture.bytes[at] = y;
  picture.bytes[24 + 4] = u;
  picture.bytes[24 + 6 + 4] = v;
  new HdColours().convert(picture, { left: 2, top: 2, width: 2, height: 2 }, colours);
  return picture.bytes;
}

const placed = ([y, u, v]: readonly [number, number, number]) => {
  const rows = [16, 16, 16, 16, 16, 16];
  const colour = (value: number) => [128, 128, 128, 128, value, 128];
  return [...rows, ...rows, ...[16, 16, y, y, 16, 16], ...[16, 16, y, y, 16, 16], ...colour(u), ...colour(v)];
};
const nearly = (values: number[]) => values.map((value) => expect.closeTo(value, -0.5));

test.each(Object.entries(bars))('%s of SD is as it is in HD, and what is around it stays', (_name, { sd, full, hd }) => {
  expect([...convert(sd, { matrix: 'smpte170m', fullRange: false })]).toEqual(nearly(placed(hd)));
  expect([...convert(full, { matrix: 'bt470bg', fullRange: true })]).toEqual(nearly(placed(hd)));
});

test('full range becomes limited, though the colours are of HD', () => {
  expect([...convert([255, 128, 128], { matrix: 'bt709', fullRange: true })]).toEqual(placed([235, 128, 128]));
});

test('what HD cannot have is cut off', () => {
  const sd = { matrix: 'smpte170m', fullRange: false } as const;
  expect([...convert([255, 0, 0], sd)]).toEqual(placed([255, 0, 0]));
  expect([...convert([0, 240, 240], sd)]).toEqual(placed([0, 255, 251]));
});

test.each([
  ['HD', { matrix: 'bt709', fullRange: false }],
  ['unknown', { matrix: null, fullRange: null }],
  ['neither', { matrix: 'rgb', fullRange: false }],
] as const)('pictures whose colours are %s stay as they are', (_what, colours) => {
  expect([...convert([81, 90, 240], colours)]).toEqual(placed([81, 90, 240]));
});

test('a source whose colours change is converted as each picture says', () => {
  const colours = new HdColours();
  const area = { left: 0, top: 0, width: 2, height: 2 };
  const convertWhite = (fullRange: boolean) => {
    const picture = blackPicture(area);
    picture.bytes.fill(235, 0, 4);
    colours.convert(picture, area, { matrix: 'bt709', fullRange });
    return picture.bytes[0];
  };
  expect([false, true, false].map(convertWhite)).toEqual([235, 218, 235]);
});
