import { expect, test } from 'vitest';
import { loopedFile } from '../../../../test/support/looped-file.ts';
import type { EndedBroadcast, OneClickState } from '../../../shared/model/live.ts';
import { type Source, testSource } from '../../../shared/model/source.ts';
import type { StreamView } from '../../../shared/model/views.ts';
import { initialChoice, takeOver } from './choice.ts';
import { asInput, fromSource, type SourceDraft, toSource } from './source-draft.ts';

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

test('after broadcasts of encoders alone, Studio opens with an encoder', () => {
  const ended: EndedBroadcast = {
    sessionId: 's',
    startedAt: 1,
    endedAt: 2,
    onAirMs: 1,
    reason: 'encoder-stopped',
    severity: 'good',
  };
  expect(initialChoice({ stream: offAir, oneClick: idle, lastBroadcast: ended }, true).way).toBe('encoder');
  expect(initialChoice({ stream: offAir, oneClick: idle, lost: ended }, true).way).toBe('encoder');
  expect(initialChoice({ stream: offAir, oneClick: idle, lastChoice, lastBroadcast: ended }, true).way).toBe('own');
});

test("a remote service doesn't say how broadcasts ended, but when one was last on air", () => {
  const ways = [0, 1].map((lastSeen) => initialChoice({ stream: { ...offAir, lastSeen }, oneClick: idle }, true).way);
  expect(ways).toEqual(['own', 'encoder']);
  expect(initialChoice({ stream: { ...offAir, lastSeen: 1 }, oneClick: idle, lastChoice }, true).way).toBe('own');
});

test('the source that is on air is taken over, but a draft of the same one keeps what was only suggested', () => {
  const suggested = { kind: 'page', captureId: 'c', of: 'microphone', name: 'Mic' } as const;
  const draft: SourceDraft = { ...fromSource(testSource), sounds: [asInput(suggested)], suggested };
  const same = toSource(draft);
  if (!('source' in same)) throw new Error(same.fault);
  expect(takeOver({ way: 'encoder', source: draft }, same.source)).toEqual({ way: 'own', source: draft });
  const { limits, inputs } = same.source.sound;
  const reordered = { sound: { limits, inputs }, picture: same.source.picture };
  expect(takeOver({ way: 'own', source: draft }, reordered).source).toBe(draft);
  expect(takeOver({ way: 'own', source: draft }, testSource)).toEqual({ way: 'own', source: fromSource(testSource) });
  const unchosen: Source = { ...testSource, sound: { inputs: [], limits: false, isUnchosen: true } };
  const { isUnchosen: _, ...wanting } = fromSource(unchosen);
  expect(takeOver({ way: 'own', source: { ...wanting, wantsSound: true } }, unchosen).source).toEqual(fromSource(unchosen));
  expect(takeOver({ way: 'own', source: { ...draft, picture: { kind: 'still', path: '' } } }, testSource).source).toEqual(
    fromSource(testSource),
  );
});
