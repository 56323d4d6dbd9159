import { expect, test } from 'vitest';
import type { OneClickState } from '../../../shared/model/live.ts';
import type { StreamView } from '../../../shared/model/views.ts';
import { fileName, initialChoice, isFedByAnother, toSource } from './sources.ts';

const file = { kind: 'file', path: '/home/me/show.mp4' } as const;

test('Studio opens with what the stream goes live with, else with the test picture', () => {
  expect(initialChoice({ kind: 'idle' })).toEqual({ kind: 'test-picture', path: '', quality: '720p30' });
  expect(initialChoice({ kind: 'failed', source: file, at: 1, sentence: 'No.', stderr: [] })).toEqual({
    kind: 'file',
    path: '/home/me/show.mp4',
    quality: '720p30',
  });
});

test('a file without a path is no source yet', () => {
  expect(toSource({ kind: 'file', path: '  ', quality: '720p30' })).toBeUndefined();
  expect(toSource({ kind: 'file', path: ' /a b.mp4 ', quality: '720p30' })).toEqual({ kind: 'file', path: '/a b.mp4' });
  expect(toSource({ kind: 'test-picture', path: 'x', quality: '720p30' })).toEqual({ kind: 'test-picture' });
});

test('the name of a file is the last part of its path, on any system', () => {
  expect(['/home/me/show.mp4', 'C:\\Videos\\show.mp4', 'show.mp4', '/'].map(fileName)).toEqual([
    'show.mp4',
    'show.mp4',
    'show.mp4',
    '/',
  ]);
});

test('only what another program feeds asks before it is stopped', () => {
  const onAir = { air: { kind: 'on-air', since: 1, sessionId: 's' } } as StreamView;
  const offAir = { air: { kind: 'off-air' } } as StreamView;
  const running: OneClickState = { kind: 'running', source: file, quality: '720p30', since: 1, queueMs: 0, droppedFrames: 0 };
  const idle: OneClickState = { kind: 'idle' };
  expect([
    isFedByAnother({ stream: onAir, oneClick: idle }),
    isFedByAnother({ stream: onAir, oneClick: running }),
    isFedByAnother({ stream: offAir, oneClick: idle }),
  ]).toEqual([true, false, false]);
});
