import { expect, test } from 'vitest';
import { bitrateBps, findProfileConflicts, Profile, profileBounds, recommendedProfiles } from './profile.ts';

const profile: Profile = { name: '720p', bitrate: 3_000_000, fps: 30, width: 1280, height: 720 };

test.each([
  [400, 400_000],
  [9_999, 9_999_000],
  [10_000, 10_000],
  [3_000_000, 3_000_000],
])('a bitrate of %i is read as %i bits per second', (bitrate, expected) => {
  expect(bitrateBps(bitrate)).toBe(expected);
});

test.each(['bitrate', 'fps', 'width', 'height'] as const)('%s is bounded on both sides', (field) => {
  const { min, max } = profileBounds[field];
  const accepts = (value: number) => Profile.safeParse({ ...profile, [field]: value }).success;
  expect([min - 1, min, max, max + 1].map(accepts)).toEqual([false, true, true, false]);
});

test('the name is bounded on both sides', () => {
  const accepts = (length: number) => Profile.safeParse({ ...profile, name: 'x'.repeat(length) }).success;
  expect([0, 1, 500, 501].map(accepts)).toEqual([false, true, true, false]);
});

test('the recommended profiles are valid together', () => {
  expect(recommendedProfiles.every((each) => Profile.safeParse(each).success)).toBe(true);
  expect(findProfileConflicts(recommendedProfiles)).toEqual([]);
});

test('every conflict comes with its path', () => {
  expect(
    findProfileConflicts([profile, profile, { ...profile, name: 'Source' }, { ...profile, name: '360p', fps: 60 }]),
  ).toEqual([
    { code: 'name-taken', path: ['profiles', 1, 'name'], name: '720p' },
    { code: 'name-reserved', path: ['profiles', 2, 'name'] },
    { code: 'fps-differs', path: ['profiles', 3, 'fps'], fps: 30 },
  ]);
});
