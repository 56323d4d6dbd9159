import { expect, test } from 'vitest';
import { formatCodec } from './codec.ts';

test('codec strings are shown by common names, and unknown ones unchanged', () => {
  const words = {
    'avc1.64001f': 'H.264 High 3.1',
    'avc1.42C01E': 'H.264 Baseline 3.0',
    'avc1.f40028': 'H.264 High 4:4:4 4.0',
    'avc1.ff0028': 'H.264 4.0',
    'hvc1.1.6.L93.B0': 'HEVC Main 3.1',
    'hvc1.2.4.H150.90': 'HEVC Main 10 5.0',
    'hvc1.4.10.L60.9E.8': 'HEVC 2.0',
    'av01.0.04M.08': 'AV1 Main 3.0',
    'av01.1.13H.10.0.000.01.13.00.1': 'AV1 High 5.1',
    'av01.0.31M.08': 'AV1 Main',
    'mp4a.40.2': 'AAC-LC',
    'mp4a.40.5': 'HE-AAC',
    'mp4a.40.99': 'mp4a.40.99',
    opus: 'Opus',
    'vp09.00.10.08': 'vp09.00.10.08',
  };
  expect(Object.keys(words).map(formatCodec)).toEqual(Object.values(words));
});
