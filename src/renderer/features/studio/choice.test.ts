import { expect, test } from 'vitest';
import type { OneClickState } from '../../../shared/model/live.ts';
import { loopedFile, testSource } from '../../../shared/model/source.ts';
import type { StreamView } from '../../../shared/model/views.ts';
import { initialChoice } from './choice.ts';
import { fromSource } from './source-draft.ts';

const file = loopedFile('/home/me/show.mp4');
const onAir = { air: { kind: 'on-air', since: 1, sessionId: 's' } } as StreamView;
const offAir = { air: { kind: 'off-air' } } as StreamView;
const idle: OneClickState = { kind: 'idle' };
const lastChoice = { source: file, encode: { kind: 'automatic' } } as const;

test("Studio opens with the stream's source, else with its last one, else with the test picture", () => {
  const failed: OneClickState = { kind: 'failed', source: file, at: 1, failure: { code: 'file-gone' }, stderr: [] };
  expect(initialChoice({ stream: offAir, oneClick: failed }, true)).toEqual({ way: 'own', source: fromSource(file) });
  expect(initialChoice({ stream: offAir, oneClick: idle, lastChoice }, true)).toEqual({ way: 'own', source: fromSource(file) });
  expect(initialChoice({ stream: offAir, oneClick: idle }, true)).toEqual({ way: 'own', source: fromSource(testSource) });
});

test('without ffmpeg, and while another program is on air, Studio opens with an encoder', () => {
  expect(initialChoice({ stream: offAir, oneClick: idle, lastChoice }, false).way).toBe('encoder');
  expect(initialChoice({ stream: onAir, oneClick: idle, lastChoice }, true).way).toBe('encoder');
});
