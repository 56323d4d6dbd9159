import { expect, test } from 'vitest';
import type { PageCapture } from '../../../shared/model/page-capture.ts';
import { testSource } from '../../../shared/model/source.ts';
import { asInput, fromSource, type SourceDraft } from './source-draft.ts';
import { nameCaptures } from './use-named-captures.ts';

/** A microphone that this browser was asked for without naming one; open, it is always the same. */
const find = (captureId: string): PageCapture => ({
  captureId,
  place: 'browser',
  order: { of: 'microphone' },
  attempt: 1,
  state: {
    kind: 'open',
    of: 'microphone',
    name: 'Desk',
    deviceId: 'm',
    hasPicture: false,
    hasSound: true,
    isMuted: false,
    isSilent: false,
  },
});
const asked = (captureId: string) => ({ kind: 'page', captureId, of: 'microphone', name: 'Microphone' }) as const;

test('a microphone that was asked for twice before it was known is mixed once', () => {
  const draft: SourceDraft = {
    ...fromSource(testSource),
    sounds: [asInput(asked('one')), { ...asInput(asked('two')), levelDb: -6 }],
  };
  const device = { place: 'browser', id: 'm' };
  const named = nameCaptures(draft, { find });
  expect(named).toEqual({ ...draft, sounds: [asInput({ ...asked('one'), name: 'Desk', device })] });
  expect(nameCaptures(named, { find })).toBe(named);
});
