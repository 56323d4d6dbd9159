import { expect, test } from 'vitest';
import { RecentSegments } from './recent-segments.ts';
import { AnsweredSession } from './remote-answers.ts';

const session = (sourceSegments: number, transcodedSegments: number, id = 'a') =>
  AnsweredSession.parse({ id, name: 'Show', createdAt: 1, isActive: true, sourceSegments, transcodedSegments });

test('counts what a session gained in the last two minutes', () => {
  const recent = new RecentSegments();
  recent.note(session(100, 0), 0);
  // For a minute no rendition is made, then all are.
  for (let second = 1; second <= 300; second += 1) recent.note(session(100 + second, Math.max(0, second - 60)), second * 1_000);
  expect(recent.gained).toEqual({ source: 120, transcoded: 120, sinceFirstMs: 300_000 });
});

test('counts each session from when it was first seen, and nothing without one', () => {
  const recent = new RecentSegments();
  expect(recent.gained).toEqual({ source: 0, transcoded: 0, sinceFirstMs: 0 });
  recent.note(session(50, 20), 0);
  recent.note(session(60, 25), 20_000);
  expect(recent.gained).toEqual({ source: 10, transcoded: 5, sinceFirstMs: 20_000 });
  recent.note(session(2, 0, 'b'), 22_000);
  recent.note(session(5, 3, 'b'), 28_000);
  expect(recent.gained).toEqual({ source: 3, transcoded: 3, sinceFirstMs: 6_000 });
  recent.note(session(90, 40, 'c'), 29_000);
  expect(recent.gained).toEqual({ source: 0, transcoded: 0, sinceFirstMs: 0 });
  recent.note(undefined, 30_000);
  expect(recent.gained).toEqual({ source: 0, transcoded: 0, sinceFirstMs: 0 });
});
