import { expect, test } from 'vitest';
import { ServiceError } from '../errors.ts';
import type { Violation } from '../model/violation.ts';
import { describeError } from './error-words.ts';
import { describeMissingFfmpeg } from './ffmpeg-words.ts';
import { describePathFault } from './path-words.ts';
import { describeSecretsFault } from './secrets-words.ts';
import { describeStartFault } from './start-words.ts';
import { describeStoreProblem, describeUnopenedStore } from './store-fault-words.ts';
import { describeViolation } from './violation-words.ts';

test('the codes in the details of an error become its words', () => {
  const storeProblem = { fault: { code: 'locked' }, waiting: 2 } as const;
  expect(describeError(new ServiceError('UNAVAILABLE', 'locked', { details: { storeProblem } }))).toBe(
    describeStoreProblem(storeProblem),
  );
  const unopenedStore = { path: '/data/tallylight.db', fault: { code: 'system', text: 'EISDIR' } } as const;
  expect(describeError(new ServiceError('UNAVAILABLE', 'not opened', { details: { unopenedStore } }))).toBe(
    describeUnopenedStore(unopenedStore),
  );
  const missingFfmpeg = { code: 'not-found', installCommand: 'brew install ffmpeg' } as const;
  expect(describeError(new ServiceError('FFMPEG_NOT_FOUND', 'There is no ffmpeg.', { details: { missingFfmpeg } }))).toBe(
    describeMissingFfmpeg(missingFfmpeg),
  );
  const pathFault = { code: 'gone', of: 'file', path: '/a.mp4' } as const;
  expect(describeError(new ServiceError('SOURCE_FAILED', 'gone', { details: { pathFault } }))).toBe(
    describePathFault(pathFault),
  );
});

test("the words for a fault of a start are those of the host, which are the desktop app's by default", () => {
  const secretsFault = { code: 'dbus-missing' } as const;
  const error = new ServiceError('KEYCHAIN_UNAVAILABLE', 'no D-Bus', { details: { secretsFault } });
  expect(describeError(error, 'headless')).toBe(describeSecretsFault(secretsFault, 'headless'));
  expect(describeError(error)).toBe(describeSecretsFault(secretsFault, 'app'));
  const startFault = { code: 'no-address', address: '192.0.2.1' } as const;
  const unstarted = new ServiceError('UNAVAILABLE', 'no address', { details: { startFault } });
  expect(describeError(unstarted, 'headless')).toBe(describeStartFault(startFault, 'headless'));
  expect(describeError(unstarted)).toBe(describeStartFault(startFault, 'app'));
});

test('each rule that the input breaks is a line', () => {
  const violations: Violation[] = [
    { code: 'required', path: ['name'] },
    { code: 'unknown-property', path: ['nam'] },
  ];
  const error = new ServiceError('INVALID_INPUT', 'broken', { details: { violations } });
  expect(describeError(error).split('\n')).toEqual(violations.map(describeViolation));
});

test('an error without such details keeps its sentence', () => {
  expect(describeError(new ServiceError('OFF_AIR', 'The stream is off air.'))).toBe('The stream is off air.');
});
