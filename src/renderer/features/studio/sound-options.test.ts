import { expect, test } from 'vitest';
import type { DeviceList } from '../../../shared/model/capture.ts';
import type { PageCapture, PageDevice } from '../../../shared/model/page-capture.ts';
import { type SoundSource, Source, testSource } from '../../../shared/model/source.ts';
import { listSounds, toSound } from './sound-options.ts';
import { asInput, choosePicture, fromSource, type SourceDraft, toSource } from './source-draft.ts';

const tab: PageCapture = {
  captureId: 'c',
  place: 'browser',
  order: { of: 'screen', withSound: true },
  attempt: 1,
  state: { kind: 'open', of: 'screen', name: 'Tab', hasPicture: true, hasSound: true, isMuted: false, isSilent: false },
};
const none: SourceDraft = { ...fromSource(testSource), sounds: [] };

/** What can be added to the mix of a page that knows one microphone, and has captured this tab. */
function list(draft: SourceDraft, devices: PageDevice[] = [], captured = tab) {
  const find = (captureId: string) => (captureId === captured.captureId ? captured : undefined);
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

const headset = { id: 'h', name: 'Headset' };
const speakers = { id: 's', name: 'Speakers' };
const ofService: DeviceList = {
  screens: [],
  windows: [],
  cameras: [],
  microphones: [headset, { id: 'q', name: 'Quiet', isMuted: true }],
  systemSounds: [speakers],
  by: { screen: 'service', window: 'service', camera: 'service', microphone: 'service', system: 'service' },
};

test("this computer's devices are offered with what they are, beside what the app captures, the files' sound and the rest", () => {
  const mic: PageDevice = { of: 'microphone', id: 'm', name: 'Mic' };
  const listInApp = (microphone: 'service' | 'page', devices: PageDevice[], hasSystemSound: boolean) => {
    const app = { picker: 'list', hasSystemSound } as const;
    const pages = { isApp: true, app, place: 'app', devices, find: () => undefined };
    const draft = choosePicture(none, 'files');
    const all = listSounds({ ...draft, sounds: [] }, { ...ofService, by: { ...ofService.by, microphone } }, pages);
    return all.map(({ label, note, what }) => [label, note, what]);
  };
  const sound = (of: SoundSource) => ({ kind: 'sound', of });
  const order = (of: 'microphone' | 'system', name: string, deviceId?: string) => ({
    kind: 'order',
    order: { of, ...(deviceId !== undefined && { deviceId }) },
    name,
  });
  const first = [
    ['Sound of the files', undefined, sound({ kind: 'of-picture' })],
    ['Headset', 'microphone', sound({ kind: 'microphone', device: headset })],
    ['Quiet', 'microphone, muted at the device', sound({ kind: 'microphone', device: { id: 'q', name: 'Quiet' } })],
    ['Speakers', 'what this computer plays', sound({ kind: 'system', device: speakers })],
  ];
  const last = [
    ['Music or other files…', undefined, { kind: 'browse' }],
    ['Test tone', undefined, sound({ kind: 'test-tone' })],
  ];
  const named = ['Mic', 'by this app', order('microphone', 'Mic', 'm')];
  const system = ['System sound…', undefined, order('system', 'System sound')];
  expect(listInApp('service', [mic], true)).toEqual([...first, named, system, ...last]);
  expect(listInApp('service', [], false)).toEqual([...first, ...last]);
  const asked = ['Microphone, by this app…', undefined, order('microphone', 'Microphone')];
  expect(listInApp('page', [], true)).toEqual([...first, asked, system, ...last]);
});

test('a shared tab without sound, and one that is still asked for, offers none', () => {
  const shared: SourceDraft = { ...none, picture: { kind: 'screen', from: { by: 'page', captureId: 'c', name: 'Tab' } } };
  const others = ['Microphone of this browser…', 'Sound of a tab or of this computer…', 'Music or other files…', 'Test tone'];
  const states = [{ ...tab.state, hasSound: false }, { kind: 'waiting' }] as PageCapture['state'][];
  for (const state of states) expect(list(shared, [], { ...tab, state }).map(({ label }) => label)).toEqual(others);
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
