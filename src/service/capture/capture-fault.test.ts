import { expect, test } from 'vitest';
import { explainDeviceEnd } from './capture-fault.ts';

test.each([
  ["[lavfi @ 0x1] No such filter: 'ddagrab'", { code: 'unsupported' }],
  ['[Parsed_ddagrab_0 @ 0x1] Selected output not supported', { code: 'unsupported' }],
  ['[Parsed_ddagrab_0 @ 0x1] Too many open duplication sessions', { code: 'in-use' }],
  ['[Parsed_ddagrab_0 @ 0x1] Desktop duplication access denied', { code: 'refused' }],
  ['[Parsed_ddagrab_0 @ 0x1] Failed to enumerate DXGI output 1', { code: 'gone' }],
  ['[video4linux2,v4l2 @ 0x1] Cannot open video device /dev/video0: Device or resource busy', { code: 'in-use' }],
  ['/dev/video0: Permission denied', { code: 'refused' }],
  ['[x11grab @ 0x1] Cannot open display :7, error 1.', { code: 'gone' }],
  ['mic: No such entity', { code: 'gone' }],
  ['Something else', { code: 'failed', detail: 'Something else' }],
] as const)('a device whose ffmpeg ends with “%s”', (line, fault) => {
  // ffmpeg ends with a line that says little.
  const lines = fault.code === 'failed' ? [line] : [line, 'Error opening input files: Generic error in an external library'];
  expect(explainDeviceEnd(lines)).toEqual(fault);
});
