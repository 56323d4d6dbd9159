import { expect, test } from 'vitest';
import { ViewerPosition } from './viewer-position.ts';

/** The playhead is this far behind live. */
const behind = (seconds: number) => ({ startSeconds: 0, liveSeconds: 60, positionSeconds: 60 - seconds, slackSeconds: 1.5 });
/** A playlist of one minute, whose first second is that of the clock. */
const segments = [{ start: 0, duration: 60, programDateTime: 0 }];
const laterSegments = [{ start: 0, duration: 60, programDateTime: 60_000 }];

/** Its viewer has rewound to the moment that is 31 s in. */
function rewind(): ViewerPosition {
  const position = new ViewerPosition();
  position.noteShown(31_000);
  position.noteShown(undefined);
  position.seek(behind(29), false);
  return position;
}

test('a viewer who seeks to the live edge follows it, unless the picture stays paused', () => {
  const position = rewind();
  expect(position.isFollowing).toBe(false);
  position.seek(behind(0), true);
  expect(position.isFollowing).toBe(false);
  position.seek(behind(0), false);
  expect(position.isFollowing).toBe(true);
});

test('a pause leaves the live edge, and playing on from there stays behind it', () => {
  const position = new ViewerPosition();
  position.pause(false);
  expect(position.isFollowing).toBe(false);
  expect([position.resume(behind(10), 0), position.isFollowing]).toEqual([false, false]);
});

test.each([
  ['at live', behind(0), true],
  ['nowhere known', undefined, false],
])('a picture that was paused and plays on %s follows accordingly', (_, timeline, isFollowing) => {
  const position = new ViewerPosition();
  position.pause(false);
  expect([position.resume(timeline, 0), position.isFollowing]).toEqual([false, isFollowing]);
});

test.each([
  { of: 'reaches into the window', aheadSeconds: 20, wanted: [false, false] },
  { of: 'ends before the window', aheadSeconds: 9, wanted: [true, true] },
])(
  'a picture that was paused until it left the window goes to live if what is buffered of it $of',
  ({ aheadSeconds, wanted }) => {
    const position = new ViewerPosition();
    position.pause(false);
    expect([position.resume(behind(70), aheadSeconds), position.isFollowing]).toEqual(wanted);
  },
);

test('a rewound picture that reaches the live edge follows it, unless a new player still has to seek back', () => {
  const position = rewind();
  position.notePlaying(behind(29));
  expect(position.isFollowing).toBe(false);
  position.beginReturn();
  position.notePlaying(behind(0));
  expect(position.isFollowing).toBe(false);
  position.endReturn(segments, false);
  position.notePlaying(behind(0.9));
  expect(position.isFollowing).toBe(true);
});

test('a picture that the browser pauses while nobody sees it still follows, and goes to live once', () => {
  const position = new ViewerPosition();
  position.pause(true);
  expect(position.isFollowing).toBe(true);
  expect([position.resume(behind(10), 0), position.isFollowing]).toEqual([true, true]);
  expect([position.resume(behind(10), 0), position.isFollowing]).toEqual([false, false]);
});

test('a viewer who had rewound is not at live after a hidden pause', () => {
  const position = rewind();
  position.pause(true);
  expect([position.resume(undefined, 0), position.isFollowing]).toEqual([false, false]);
});

test('a picture that the browser does not start waits where it is, and goes to live once it plays', () => {
  const position = new ViewerPosition();
  position.noteShown(31_000);
  position.refuse();
  position.refuse();
  expect(position.isFollowing).toBe(false);
  position.beginReturn();
  expect([position.endReturn(segments, false), position.resume(behind(10), 0)]).toEqual([undefined, true]);
  position.follow();
  expect([position.resume(behind(10), 0), position.isFollowing]).toEqual([false, false]);
});

test('a viewer who had rewound stays there when the browser refuses to start a new player', () => {
  const position = rewind();
  position.refuse();
  expect([position.resume(behind(29), 0), position.isFollowing]).toEqual([false, false]);
});

test('a seek ends the pause of a hidden picture', () => {
  const position = new ViewerPosition();
  position.pause(true);
  position.seek(behind(10), false);
  expect([position.resume(behind(10), 0), position.isFollowing]).toEqual([false, false]);
});

test('a new player returns once to the last moment shown, at its opening', () => {
  const position = rewind();
  position.beginReturn();
  position.noteShown(40_000);
  expect([position.endReturn(segments, false), position.isFollowing]).toEqual([31, false]);
  expect([position.endReturn(segments, false), position.isFollowing]).toEqual([undefined, false]);
});

test('a new player goes to live if that moment is gone', () => {
  const position = rewind();
  position.beginReturn();
  expect([position.endReturn(laterSegments, false), position.isFollowing]).toEqual([undefined, true]);
});

test('a new player for a paused picture whose moment is gone stays paused: it follows nothing', () => {
  const position = rewind();
  position.beginReturn();
  expect([position.endReturn(laterSegments, true), position.isFollowing]).toEqual([undefined, false]);
});

test('a new player returns nobody who follows live', () => {
  const position = new ViewerPosition();
  position.noteShown(31_000);
  position.beginReturn();
  expect([position.endReturn(segments, false), position.isFollowing]).toEqual([undefined, true]);
});

test('a new player returns nobody who has gone to live, or elsewhere, meanwhile', () => {
  const position = rewind();
  position.beginReturn();
  position.goLive();
  expect([position.endReturn(segments, false), position.isFollowing]).toEqual([undefined, true]);
  position.seek(behind(20), false);
  position.beginReturn();
  position.seek(behind(10), false);
  expect([position.endReturn(segments, false), position.isFollowing]).toEqual([undefined, false]);
});

test('a new player returns even if it starts at the live edge', () => {
  const position = rewind();
  position.beginReturn();
  position.follow();
  expect(position.isFollowing).toBe(true);
  expect([position.endReturn(segments, false), position.isFollowing]).toEqual([31, false]);
});
