import { expect, test } from 'vitest';
import { formatAmf0 } from './amf0.ts';
import { formatMetadata, unwrapDataFrame } from './script-data.ts';

const metadata = formatMetadata(new Map([['framerate', 30]]));

test.each([
  '@setDataFrame',
  // Of encoders that leave the @ out.
  'setDataFrame',
])('metadata in a %s is unwrapped', (name) => {
  expect(unwrapDataFrame(Buffer.concat([formatAmf0(name), metadata]))).toEqual(metadata);
});

test('metadata without a frame is taken as it is; withdrawn metadata and an empty frame are nothing', () => {
  expect(unwrapDataFrame(metadata)).toEqual(metadata);
  expect(unwrapDataFrame(formatAmf0('@clearDataFrame', 'onMetaData'))).toBeUndefined();
  expect(unwrapDataFrame(formatAmf0('@setDataFrame'))).toBeUndefined();
});
