import { expect, test } from 'vitest';
import { findFfmpegInstallCommand } from '../media-tools/ffmpeg-install-command.ts';
import { explainEncoderEnd } from './encoder-end.ts';

test.each([
  ["Unknown encoder 'libx264'", { code: 'no-x264', installCommand: findFfmpegInstallCommand('full') }],
  ['[libx264] malloc failed: Cannot allocate memory', { code: 'out-of-memory' }],
  ['Conversion failed!', { code: 'exited', exitCode: 1 }],
])('an encoder whose last line is %s ended because of that', (line, failure) => {
  expect(explainEncoderEnd({ exitCode: 1, killedBy: null, stderr: ['Stream mapping:', line] })).toEqual(failure);
});
