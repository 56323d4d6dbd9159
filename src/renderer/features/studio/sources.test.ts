import { expect, test } from 'vitest';
import type { OneClickState } from '../../../shared/model/live.ts';
import type { StreamView } from '../../../shared/model/views.ts';
import { fileName, initialChoice, toSource } from './sources.ts';

const file = { kind: 'file', path: '/home/me/show.mp4' } as const;

const onAir = { air: { kind: 'on-air', since: 1, sessionId: 's' } } as StreamView;
const offAir = { air: { kind: 'off-air' } } as StreamView;
const idle: OneClickState = { kind: 'idle' };

test("Studio opens with the stream's source, else with the test picture", () => {
  expect(initialChoice({ stream: offAir, oneClick: idle }, true)).toEqual({
    kind: 'test-picture',
    path: '',
    quality: '720p30',
  });
  const failed: OneClickState = { kind: 'failed', source: file, at: 1, failure: { code: 'file-gone' }, stderr: [] };
  expect(initialChoice({ stream: offAir, oneClick: failed }, true)).toEqual({
    kind: 'file',
    path: '/home/me/show.mp4',
    quality: '720p30',
  });
  expect(initialChoice({ stream: onAir, oneClick: idle }, true).kind).toBe('encoder');
});

test('without ffmpeg, Studio opens with an encoder', () => {
  expect(initialChoice({ stream: offAir, oneClick: idle }, false).kind).toBe('encoder');
});

test('neither a file without a path nor an encoder is a source', () => {
  expect(toSource({ kind: 'encoder', path: '', quality: '720p30' })).toBeUndefined();
  expect(toSource({ kind: 'file', path: '  ', quality: '720p30' })).toBeUndefined();
  expect(toSource({ kind: 'file', path: ' /a b.mp4 ', quality: '720p30' })).toEqual({ kind: 'file', path: '/a b.mp4' });
  expect(toSource({ kind: 'test-picture', path: 'x', quality: '720p30' })).toEqual({ kind: 'test-picture' });
});

test("a file's name is the last part of its path, on any system", () => {
  expect(['/home/me/show.mp4', 'C:\\Videos\\show.mp4', 'show.mp4', '/'].map(fileName)).toEqual([
    'show.mp4',
    'show.mp4',
    'show.mp4',
    '/',
  ]);
});
