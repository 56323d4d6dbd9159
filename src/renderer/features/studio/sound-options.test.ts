import { expect, test } from 'vitest';
import type { PageCapture, PageDevice } from '../../../shared/model/page-capture.ts';
import { type SoundSource, Source, testSource } from '../../../shared/model/source.ts';
import { listSounds, toSound } from './sound-options.ts';
import { asInput, fromSource, type SourceDraft, toSource } from './source-draft.ts';

const tab: PageCapture = {
  captureId: 'c',
  place: 'browser',
  order: { of: 'screen', withSound: true },
  attempt: 1,
  state: { kind: 'open', of: 'screen', name: 'Tab', hasPicture: true, hasSound: true, isMuted: false, isSilent: false },
};
const none: SourceDraft = { ...fromSource(testSource), sounds: [] };

/** What can be added to the mix of a page that knows one microphone. */
function list(draft: SourceDraft, devices: PageDevice[] = []) {
  const find = (captureId: string) => (captureId === tab.captureId ? tab : undefined);
  return listSounds(draft, undefined, { isApp: false, app: undefined, place: 'browser', devices, find });
}

function labels(draft: SourceDraft, devices?: PageDevice[]): string[] {
  return list(draft, devices).map(({ label }) => label);
}

test('a microphone of this browser is offered until it is in the mix', () => {
  const devices: PageDevice[] = [{ of: 'microphone', id: 'm', name: 'Mic' }];
  const others = ['Sound of a tab or of this computer…', 'Music or other files…', 'Test tone'];
  expect(labels(none, devices)).toEqual(['Mic', ...others]);
  const mic = { kind: 'order', order: { of: 'microphone', deviceId: 'm' }, name: 'Mic' } as const;
  expect(list(none, devices)[0]).toEqual({ value: 'page-microphone m', label: 'Mic', note: 'this browser', what: mic });
  // It need not have opened yet.
  expect(labels({ ...none, sounds: [asInput(toSound(mic, 'c1', 'browser'))] }, devices)).toEqual(others);
  expect(labels({ ...none, sounds: [asInput(toSound(mic, 'c1', 'another browser'))] }, devices)).toEqual(['Mic', ...others]);
});

test('the sound of a shared tab is offered until it is in the mix, also once the service has stored the source', () => {
  const shared: SourceDraft = { ...none, picture: { kind: 'screen', from: { by: 'page', captureId: 'c', name: 'Tab' } } };
  const others = ['Microphone of this browser…', 'Sound of a tab or of this computer…', 'Music or other files…', 'Test tone'];
  expect(labels(shared)).toEqual(['Sound of Tab', ...others]);
  const ofTab: SoundSource = { kind: 'page', captureId: 'c', of: 'system', name: 'Sound of Tab' };
  const mixed: SourceDraft = { ...shared, sounds: [asInput(ofTab)] };
  expect(labels(mixed)).toEqual(others);
  const sent = toSource(mixed);
  expect(labels(fromSource(Source.parse('source' in sent ? sent.source : undefined)))).toEqual(others);
});
