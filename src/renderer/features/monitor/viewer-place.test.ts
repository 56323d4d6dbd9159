import { expect, test } from 'vitest';
import { ViewerPlace } from './viewer-place.ts';

/** The playhead is this far behind live. */
const behind = (seconds: number) => ({ startSeconds: 0, liveSeconds: 60, positionSeconds: 60 - seconds, slackSeconds: 1.5 });
/** A playlist of one minute, whose first second is that of the clock. */
const segments = [{ start: 0, duration: 60, programDateTime: 0 }];
const laterSegments = [{ start: 0, duration: 60, programDateTime: 60_000 }];

/** Its viewer has rewound to the moment that is 31 s in. */
function rewind(): ViewerPlace {
  const place = new ViewerPlace();
  place.noteShown(31_000);
  place.noteShown(undefined);
  place.seek(behind(29), false);
  return place;
}

test('a viewer who seeks to the live edge follows it, unless the picture stays paused', () => {
  const place = rewind();
  expect(place.isFollowing).toBe(false);
  place.seek(behind(0), true);
  expect(place.isFollowing).toBe(false);
  place.seek(behind(0), false);
  expect(place.isFollowing).toBe(true);
});

test('a pause leaves the live edge, and playing on from there stays behind it', () => {
  const place = new ViewerPlace();
  place.pause(false);
  expect(place.isFollowing).toBe(false);
  expect([place.resume(behind(10), 0), place.isFollowing]).toEqual([false, false]);
});

test.each([
  ['at live', behind(0), true],
  ['nowhere known', undefined, false],
])('a picture that was paused and plays on %s follows accordingly', (_, timeline, isFollowing) => {
  const place = new ViewerPlace();
  place.pause(false);
  expect([place.resume(timeline, 0), place.isFollowing]).toEqual([false, isFollowing]);
});

test.each([
  { of: 'reaches into the window', aheadSeconds: 20, place: [false, false] },
  { of: 'ends before the window', aheadSeconds: 9, place: [true, true] },
])(
  'a picture that was paused until it left the window goes to live if what is buffered of it $of',
  ({ aheadSeconds, place: wanted }) => {
    const place = new ViewerPlace();
    place.pause(false);
    expect([place.resume(behind(70), aheadSeconds), place.isFollowing]).toEqual(wanted);
  },
);

test('a rewound picture that has come to live follows it, unless a new player is yet to return its viewer', () => {
  const place = rewind();
  place.notePlaying(behind(29));
  expect(place.isFollowing).toBe(false);
  place.beginReturn();
  place.notePlaying(behind(0));
  expect(place.isFollowing).toBe(false);
  place.endReturn(segments);
  place.notePlaying(behind(0.9));
  expect(place.isFollowing).toBe(true);
});

test('a picture that the browser pauses while nobody sees it still follows, and goes to live once', () => {
  const place = new ViewerPlace();
  place.pause(true);
  expect(place.isFollowing).toBe(true);
  expect([place.resume(behind(10), 0), place.isFollowing]).toEqual([true, true]);
  expect([place.resume(behind(10), 0), place.isFollowing]).toEqual([false, false]);
});

test('a viewer who had rewound is not at live after a hidden pause', () => {
  const place = rewind();
  place.pause(true);
  expect([place.resume(undefined, 0), place.isFollowing]).toEqual([false, false]);
});

test('a picture that the browser does not start waits where it is, and goes to live once it plays', () => {
  const place = new ViewerPlace();
  place.noteShown(31_000);
  place.refuse();
  place.refuse();
  expect(place.isFollowing).toBe(false);
  place.beginReturn();
  expect([place.endReturn(segments), place.resume(behind(10), 0)]).toEqual([undefined, true]);
  place.follow();
  expect([place.resume(behind(10), 0), place.isFollowing]).toEqual([false, false]);
});

test('a viewer who had rewound stays there when the browser refuses to start a new player', () => {
  const place = rewind();
  place.refuse();
  expect([place.resume(behind(29), 0), place.isFollowing]).toEqual([false, false]);
});

test('a seek ends the pause of a hidden picture', () => {
  const place = new ViewerPlace();
  place.pause(true);
  place.seek(behind(10), false);
  expect([place.resume(behind(10), 0), place.isFollowing]).toEqual([false, false]);
});

test('a new player returns once to the last moment shown, at its opening', () => {
  const place = rewind();
  place.beginReturn();
  place.noteShown(40_000);
  expect([place.endReturn(segments), place.isFollowing]).toEqual([31, false]);
  expect([place.endReturn(segments), place.isFollowing]).toEqual([undefined, false]);
});

test('a new player goes to live if that moment is gone', () => {
  const place = rewind();
  place.beginReturn();
  expect([place.endReturn(laterSegments), place.isFollowing]).toEqual([undefined, true]);
});

test('a new player returns nobody who follows live', () => {
  const place = new ViewerPlace();
  place.noteShown(31_000);
  place.beginReturn();
  expect([place.endReturn(segments), place.isFollowing]).toEqual([undefined, true]);
});

test('a new player returns nobody who has gone to live, or elsewhere, meanwhile', () => {
  const place = rewind();
  place.beginReturn();
  place.goLive();
  expect([place.endReturn(segments), place.isFollowing]).toEqual([undefined, true]);
  place.seek(behind(20), false);
  place.beginReturn();
  place.seek(behind(10), false);
  expect([place.endReturn(segments), place.isFollowing]).toEqual([undefined, false]);
});

test('a new player returns even if it starts at the live edge', () => {
  const place = rewind();
  place.beginReturn();
  place.follow();
  expect(place.isFollowing).toBe(true);
  expect([place.endReturn(segments), place.isFollowing]).toEqual([31, false]);
});
