import { expect, test } from 'vitest';
import { AnsweredSessions, AnsweredStream, AnsweredStreams, ParentedSessions, RemotePairs } from './remote-answers.ts';

const stream = { id: '0f8c', name: 'Show', createdAt: 1, playbackId: 'abc', streamKey: 'k' };

test('what a service leaves out, or answers null for, has a default; what only it knows is dropped', () => {
  const profile = { name: '720p', bitrate: 3_000_000, fps: 0, width: 1280, height: 720 };
  const answer = { ...stream, isActive: null, profiles: [{ ...profile, gop: '2.0' }, { name: 'odd' }], renditions: {} };
  expect(AnsweredStream.parse(answer)).toEqual({
    ...stream,
    isActive: false,
    lastSeen: 0,
    sourceSegments: 0,
    sourceSegmentsDuration: 0,
    transcodedSegments: 0,
    transcodedSegmentsDuration: 0,
    profiles: [profile],
    createdByTokenName: undefined,
    record: undefined,
    suspended: undefined,
  });
});

test('sessions among streams are left out', () => {
  expect(AnsweredStreams.parse([{ id: 's', parentId: '0f8c' }, stream]).map(({ id }) => id)).toEqual(['0f8c']);
});

test('of a list or a text that is longer than a screen shows, no more is taken', () => {
  const many = <Item>(item: Item): Item[] => Array(5_000).fill(item);
  const profile = { name: '720p', bitrate: 3_000_000, fps: 0, width: 1280, height: 720 };
  const long = { ...stream, profiles: many(profile), createdByTokenName: 'x'.repeat(5_000) };
  const { profiles, createdByTokenName } = AnsweredStream.parse(long);
  expect([profiles?.length, createdByTokenName?.length]).toEqual([16, 500]);
  const session = { ...stream, parentId: '0f8c' };
  // Omitted entries aren't even checked.
  expect(AnsweredStreams.parse([...many(session), ...many(stream), 'odd'])).toHaveLength(1_000);
  expect(AnsweredSessions.parse([...many(session), 'odd'])).toHaveLength(1_000);
  expect(ParentedSessions.parse([...many(stream), ...many(session), { parentId: 'odd' }])).toHaveLength(1_000);
});

test('a name that the interface allows stays whole, a longer one is cut between characters, and half a character is mended', () => {
  const names = [`x${'🎥'.repeat(260)}`, '🎥'.repeat(500), `x${'🎥'.repeat(700)}`, 'a\ud83c'];
  expect(names.map((name) => AnsweredStream.parse({ ...stream, name }).name)).toEqual([
    `x${'🎥'.repeat(260)}`,
    '🎥'.repeat(500),
    `x${'🎥'.repeat(499)}`,
    'a\ufffd',
  ]);
});

test('pairs lose the slashes at the ends of their URLs, and none may be longer than those of our own regions', () => {
  const pair = (playback: string) => [{ ingest: 'rtmps://fra.example.com/live//', playback }];
  expect(RemotePairs.parse(pair('https://fra.example.com/hls/'))).toEqual([
    { ingest: 'rtmps://fra.example.com/live', playback: 'https://fra.example.com/hls' },
  ]);
  expect(RemotePairs.safeParse(pair('x'.repeat(2_048))).success).toBe(true);
  expect(RemotePairs.safeParse(pair('x'.repeat(2_049))).success).toBe(false);
});
