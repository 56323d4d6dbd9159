import { ORPCError } from '@orpc/client';
import { expect, test } from 'vitest';
import type { RemoteFailure } from '../../shared/model/remote-failure.ts';
import { describeUnanswered, type Failure, readFailure, tellWhole } from './failure.ts';

test('a service error keeps its code, sentence and details', () => {
  const remoteFailure = { code: 'key-refused', status: 401 };
  const error = new ORPCError('REMOTE_FAILED', { message: 'The service refuses the key.', data: { remoteFailure } });
  expect(readFailure(error)).toEqual({
    code: 'REMOTE_FAILED',
    sentence: 'The service refuses the key.',
    violations: [],
    remoteFailure,
  });
});

test('a source that was refused for a file keeps its path', () => {
  const message = 'There is no file /a.mp4.';
  const pathFault = { code: 'gone', of: 'file', path: '/a.mp4' };
  expect(readFailure(new ORPCError('SOURCE_FAILED', { message, data: { pathFault } }))).toEqual({
    code: 'SOURCE_FAILED',
    sentence: message,
    violations: [],
    path: '/a.mp4',
  });
});

test('violations are listed one by one', () => {
  const violations = [
    { code: 'too-small', path: ['profiles', 0, 'width'], of: 'value', least: 128 },
    { code: 'required', path: ['name'] },
  ];
  const error = new ORPCError('INVALID_INPUT', { message: 'Two rules are broken.', data: { violations } });
  expect(readFailure(error).violations).toEqual(violations);
});

test('the sentence above the violations is not their text, which the service sends as its message', () => {
  const violations = [{ code: 'unknown-region', path: ['regionChoice'], region: 'ber' }];
  const message = "regionChoice: must be a region in the list, and ber isn't";
  const failure = readFailure(new ORPCError('INVALID_INPUT', { message, data: { violations } }));
  expect(failure.sentence).toBe("These settings don't fit together.");
  expect(tellWhole(failure)).toBe(
    "These settings don't fit together. Go live is set to BER: choose another region in Regions first.",
  );
});

test('any other error means that the service is unreachable', () => {
  expect(readFailure(new Error('Cannot send message, WebSocket is not open.'))).toEqual({
    code: 'UNKNOWN',
    sentence: "Can't reach the service. Try again when it's back.",
    violations: [],
  });
});

test('a call whose answer was lost, here or by a remote service, may have been carried out', () => {
  const remedy = 'Look for the stream before you create another.';
  const lost = readFailure(new Error('The socket was closed.'));
  const remote = (remoteFailure: RemoteFailure) =>
    readFailure(new ORPCError('REMOTE_FAILED', { message: 'It failed.', data: { remoteFailure } }));
  const told = (failure: Failure, isSent = true) => describeUnanswered(failure, { isSent, remedy })?.sentence;
  expect([
    told(lost),
    told(lost, false),
    told(remote({ code: 'timed-out', afterMs: 5_000 })),
    told(remote({ code: 'closed' })),
    told(remote({ code: 'connection-refused', address: 'live.example.com:443' })),
    told(readFailure(new ORPCError('INVALID_INPUT', { message: 'A rule is broken.' }))),
  ]).toEqual([
    `The service didn't answer. ${remedy}`,
    undefined,
    `It failed. ${remedy}`,
    `It failed. ${remedy}`,
    undefined,
    undefined,
  ]);
});
