import { expect, test } from 'vitest';
import { profileBounds, recommendedProfiles } from '../../../shared/model/profile.ts';
import type { StreamView } from '../../../shared/model/views.ts';
import {
  blankProfile,
  draftOf,
  emptyDraft,
  findChanges,
  type ProfileDraft,
  parseDraft,
  placeFaults,
  type StreamDraft,
} from './stream-draft.ts';

const good: ProfileDraft = { key: 0, name: '720p', bitrateKilobits: '3 000', width: '1280', height: '720' };
const custom = (profiles: ProfileDraft[], changes: Partial<StreamDraft> = {}): StreamDraft => ({
  name: 'Show',
  ladder: 'custom',
  fps: '',
  profiles,
  ...changes,
});
const faultsOf = (draft: StreamDraft) => {
  const result = parseDraft(draft);
  return 'faults' in result ? result.faults : {};
};

test('none, recommended (the default) and custom become their profiles', () => {
  expect(parseDraft({ ...emptyDraft, name: 'Show', ladder: 'none' })).toEqual({ stream: { name: 'Show', profiles: [] } });
  expect(parseDraft({ ...emptyDraft, name: 'Show' })).toEqual({
    stream: { name: 'Show', profiles: recommendedProfiles },
  });
  expect(parseDraft(custom([good], { fps: '30' }))).toEqual({
    stream: { name: 'Show', profiles: [{ name: '720p', bitrate: 3_000_000, fps: 30, width: 1280, height: 720 }] },
  });
});

test('a missing, blank or too long name says how to fix it', () => {
  expect(['', '  ', 'x'.repeat(501)].map((name) => faultsOf({ ...emptyDraft, name }))).toEqual([
    { name: 'Give the stream a name.' },
    { name: 'Give the stream a name.' },
    { name: 'Use 500 characters or fewer.' },
  ]);
  expect(faultsOf({ ...emptyDraft, name: 'x'.repeat(500) })).toEqual({});
});

test('every field of a rendition is bounded on both sides', () => {
  const bounds: [keyof ProfileDraft, string, number, number][] = [
    ['width', 'width', profileBounds.width.min, profileBounds.width.max],
    ['height', 'height', profileBounds.height.min, profileBounds.height.max],
    ['bitrateKilobits', 'bitrate', 10, 2_000_000],
  ];
  for (const [field, path, min, max] of bounds) {
    const isFaulty = (value: string) => `profiles[0].${path}` in faultsOf(custom([{ ...good, [field]: value }]));
    expect([min, max].map((value) => isFaulty(String(value)))).toEqual([false, false]);
    expect([String(min - 1), String(max + 1), '', 'x', '12.5', '-200'].map(isFaulty)).toEqual(Array(6).fill(true));
  }
  const isFpsFaulty = (fps: string) => 'fps' in faultsOf(custom([good], { fps }));
  expect(['', '0', '240', '241', 'x'].map(isFpsFaulty)).toEqual([false, false, false, true, true]);
  const faultsOfName = (name: string) => faultsOf(custom([good, { ...good, key: 1, name }]));
  for (const name of ['x', 'x'.repeat(500)]) expect(faultsOfName(name)).toEqual({});
  for (const name of ['', ' ']) expect(faultsOfName(name)).toEqual({ 'profiles[1].name': 'Give it a name, like 720p.' });
  expect(faultsOfName('x'.repeat(501))).toEqual({ 'profiles[1].name': 'Use 500 characters or fewer.' });
});

test('all faults are reported at once, at their fields', () => {
  expect(faultsOf(custom([{ ...good, width: '100', height: '' }], { name: '' }))).toEqual({
    name: 'Give the stream a name.',
    'profiles[0].width': 'Use 128 to 8\u202f192.',
    'profiles[0].height': 'Use 128 to 8\u202f192.',
  });
});

test('a name used twice, or "source", asks for another', () => {
  expect(faultsOf(custom([good, { ...good, key: 1 }, { ...good, key: 2, name: 'Source' }]))).toEqual({
    'profiles[1].name': 'Choose another name: a rendition above uses this one.',
    'profiles[2].name': 'Choose another name: “source” is reserved.',
  });
});

test('an existing stream fills the form, with bitrates in kbit/s however they are stored', () => {
  const stream = { name: 'Show', profiles: [{ name: 'a', bitrate: 1_500, fps: 30, width: 640, height: 360 }] } as Parameters<
    typeof draftOf
  >[0];
  expect(draftOf(stream)).toEqual({
    name: 'Show',
    ladder: 'custom',
    fps: '30',
    profiles: [{ key: 0, name: 'a', bitrateKilobits: '1500', width: '640', height: '360' }],
  });
  expect(draftOf({ ...stream, profiles: [...recommendedProfiles] }).ladder).toBe('recommended');
  expect(draftOf({ ...stream, profiles: [] }).ladder).toBe('none');
});

test('an added rendition has its own key', () => {
  expect(blankProfile([good, { ...good, key: 4 }]).key).toBe(5);
  expect(blankProfile([]).key).toBe(0);
});

test("the service's violations appear at their fields, and none is lost", () => {
  expect(
    placeFaults([
      { code: 'rule', path: ['name'], words: 'must not be blank' },
      { code: 'too-big', path: ['profiles', 1, 'fps'], of: 'value', most: 240 },
      { code: 'unknown-property', path: ['profiles', 1, 'colour'] },
      { code: 'more', count: 3 },
    ]),
  ).toEqual({
    faults: { name: 'Must not be blank', fps: 'Must be at most 240' },
    others: ['profiles[1].colour: cannot be set here', 'and 3 more'],
  });
});

test('of an edited form, only what differs is sent', () => {
  const opened = { name: 'Show', profiles: [{ name: 'a', bitrate: 1_500, fps: 30, width: 640, height: 360 }] } as StreamView;
  const profiles = [{ name: 'a', bitrate: 1_500_000, fps: 30, width: 640, height: 360 }];
  expect(findChanges(opened, { name: 'Show', profiles })).toEqual({});
  expect(findChanges(opened, { name: 'Concert', profiles })).toEqual({ name: 'Concert' });
  expect(findChanges(opened, { name: 'Show', profiles: [] })).toEqual({ profiles: [] });
  // A service elsewhere may allow a name that the form doesn't.
  expect(findChanges({ ...opened, name: '' }, { name: 'Show', profiles })).toEqual({ name: 'Show' });
});

test('a bitrate that a program set to the bit is kept until it is edited', () => {
  const profile = { name: 'a', bitrate: 1_234_567, fps: 0, width: 640, height: 360 };
  const draft = draftOf({ name: 'Show', profiles: [profile] } as StreamView);
  expect(parseDraft(draft)).toEqual({ stream: { name: 'Show', profiles: [profile] } });
  const [row] = draft.profiles as [ProfileDraft];
  const edited = { ...draft, profiles: [{ ...row, bitrateKilobits: '1234.5' }] };
  expect(parseDraft(edited)).toHaveProperty('faults', { 'profiles[0].bitrate': expect.any(String) });
});
