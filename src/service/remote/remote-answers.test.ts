import { expect, test } from 'vitest';
import { findMediaOrigin, RemotePairs, RemoteStream, RemoteStreams } from './remote-answers.ts';

const stream = { id: '0f8c', name: 'Show', createdAt: 1, playbackId: 'abc', streamKey: 'k' };

test('what a service leaves out, or answers null for, has a default; what only it knows is dropped', () => {
  const profile = { name: '720p', bitrate: 3_000_000, fps: 0, width: 1280, height: 720 };
  const answer = { ...stream, isActive: null, profiles: [{ ...profile, gop: '2.0' }, { name: 'odd' }], renditions: {} };
  expect(RemoteStream.parse(answer)).toEqual({
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
  expect(RemoteStreams.parse([{ id: 's', parentId: '0f8c' }, stream]).map(({ id }) => id)).toEqual(['0f8c']);
});

test.each([
  ['https://fra-cdn.example.com/hls', 'https://fra-cdn.example.com'],
  ['https://[fd00::1]:8443/hls', 'https://[fd00::1]:8443'],
  ['http://127.0.0.1:4600/hls', 'http://127.0.0.1:4600'],
  ['http://cdn.example.com/hls', undefined],
  // In a Content-Security-Policy these would allow more than one origin, or end the directive.
  ['https://*/hls', undefined],
  ['https://*.example.com/hls', undefined],
  ['https://a;sandbox/hls', undefined],
  ["https://a,'none'/hls", undefined],
  ['https://user@cdn.example.com/hls', undefined],
  ['data:text/plain,x', undefined],
  ['nothing', undefined],
])('the playback URL %s has the media origin %s', (playback, origin) => {
  expect(findMediaOrigin(playback)).toBe(origin);
});

test('pairs that can not be used from here are left out', () => {
  const good = { ingest: 'rtmps://fra.example.com/live', playback: 'https://fra.example.com/hls' };
  expect(
    RemotePairs.parse([
      { ...good, playback: `${good.playback}/`, base: null, weight: 3 },
      { ...good, ingest: 'srt://fra.example.com' },
      { ...good, playback: 'http://fra.example.com/hls' },
    ]),
  ).toEqual([good]);
});
