import { expect, test } from 'vitest';
import type { ServiceInfo } from '../../../shared/model/views.ts';
import { listEncoderOptions, listFailedEncoders } from './encoder-options.ts';

const encoders: ServiceInfo['encoders'] = {
  used: 'h264_vaapi',
  trials: [
    { encoder: 'h264_nvenc', works: false, fault: { code: 'unusable' }, stderr: ['Cannot load libcuda.so.1'] },
    { encoder: 'h264_vaapi', works: true },
    { encoder: 'libx264', works: true },
  ],
};

test('automatic and the working encoders can be chosen, in the order they were tried', () => {
  expect(listEncoderOptions(encoders, 'automatic')).toEqual([
    { value: 'automatic', label: 'Automatic', note: 'The first that works: VA-API' },
    { value: 'h264_vaapi', label: 'VA-API', note: 'Intel or AMD graphics, on Linux' },
    { value: 'libx264', label: 'x264', note: 'CPU' },
  ]);
});

test('a chosen encoder that does not work is still listed, and says so', () => {
  expect(listEncoderOptions(encoders, 'h264_nvenc').at(-1)).toEqual({
    value: 'h264_nvenc',
    label: 'NVENC',
    note: "Doesn't work right now",
  });
});

test('before any test, automatic and the current choice are listed', () => {
  expect(listEncoderOptions(undefined, 'libx264').map(({ value }) => value)).toEqual(['automatic', 'libx264']);
  expect(listEncoderOptions(undefined, 'automatic').map(({ note }) => note)).toEqual(['The first that works']);
});

test("failed encoders come with the reason and ffmpeg's output", () => {
  expect(listFailedEncoders(encoders)).toEqual([
    { name: 'NVENC', sentence: "ffmpeg can't use it on this computer.", stderr: ['Cannot load libcuda.so.1'] },
  ]);
});
