import { expect, test } from 'vitest';
import { changeCaptures, listCaptures } from './draft-captures.ts';
import type { SourceDraft } from './source-draft.ts';

const draft: SourceDraft = {
  picture: { kind: 'screen', from: { by: 'page', captureId: 'c', name: 'Screen 1' } },
  inset: { from: { by: 'page', captureId: 'corner', name: 'Camera' }, corner: 'top-left', share: 0.2 },
  sounds: [
    { of: { kind: 'page', captureId: 'c', of: 'system', name: 'Its sound' }, levelDb: 0, isMuted: false },
    { of: { kind: 'page', captureId: 'm', of: 'microphone', name: 'Desk' }, levelDb: 0, isMuted: false },
    { of: { kind: 'test-tone' }, levelDb: 0, isMuted: false },
  ],
  limits: true,
};

test("a draft's captures are listed once each, a screen with sound as a screen", () => {
  expect(listCaptures(draft).map(({ captureId, of, name }) => `${captureId}: ${of}, ${name}`)).toEqual([
    'c: screen, Screen 1',
    'corner: camera, Camera',
    'm: microphone, Desk',
  ]);
});

test('a draft none of whose captures change stays the same object', () => {
  expect(changeCaptures(draft, () => undefined)).toBe(draft);
});
