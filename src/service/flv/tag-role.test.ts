import { expect, test } from 'vitest';
import type { FlvTag } from './flv-tag.ts';
import { findTagRole, type TagRole } from './tag-role.ts';

test.each<[string, FlvTag['kind'], number[], TagRole]>([
  ['metadata', 'script', [2], 'config'],
  ['the parameters of H.264', 'video', [0x17, 0], 'config'],
  ['a keyframe of H.264', 'video', [0x17, 1], 'keyframe'],
  ['a frame of H.264', 'video', [0x27, 1], 'frame'],
  ['the parameters of HEVC', 'video', [0x90, 0x68, 0x76, 0x63, 0x31], 'config'],
  ['a keyframe of HEVC, with and without a composition time', 'video', [0x91, 0x68, 0x76, 0x63, 0x31], 'keyframe'],
  ['a keyframe of AV1', 'video', [0x93, 0x61, 0x76, 0x30, 0x31], 'keyframe'],
  ['a frame of AV1', 'video', [0xa1, 0x61, 0x76, 0x30, 0x31], 'frame'],
  ['colour information', 'video', [0x94, 0x68, 0x76, 0x63, 0x31], 'config'],
  ['the parameters of AAC', 'audio', [0xaf, 0], 'config'],
  ['a frame of AAC', 'audio', [0xaf, 1], 'audio'],
  ['the parameters of Opus', 'audio', [0x90, 0x4f, 0x70, 0x75, 0x73], 'config'],
  ['a frame of Opus', 'audio', [0x91, 0x4f, 0x70, 0x75, 0x73], 'audio'],
  ['a layout of channels', 'audio', [0x94, 0x4f, 0x70, 0x75, 0x73], 'config'],
  ['a frame of MP3', 'audio', [0x2f, 0], 'audio'],
  ['nothing', 'video', [], 'frame'],
])('%s', (_name, kind, bytes, role) => {
  expect(findTagRole({ kind, timestampMs: 0, body: Buffer.from(bytes) })).toBe(role);
});
