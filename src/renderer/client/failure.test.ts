import { ORPCError } from '@orpc/client';
import { expect, test } from 'vitest';
import { describeFailure } from './failure.ts';

test('a service error keeps its code, sentence and details', () => {
  const error = new ORPCError('SOURCE_FAILED', {
    message: 'The file has no video track.',
    data: { stderr: ['moov atom not found'] },
  });
  expect(describeFailure(error)).toEqual({
    code: 'SOURCE_FAILED',
    sentence: 'The file has no video track.',
    violations: [],
    stderr: ['moov atom not found'],
  });
});

test('violations are listed one by one', () => {
  const violations = [
    { code: 'too-small', path: ['profiles', 0, 'width'], of: 'value', least: 128 },
    { code: 'required', path: ['name'] },
  ];
  const error = new ORPCError('INVALID_INPUT', { message: 'Two rules are broken.', data: { violations } });
  expect(describeFailure(error).violations).toEqual(violations);
});

test('any other error means that the service is unreachable', () => {
  expect(describeFailure(new Error('Cannot send message, WebSocket is not open.'))).toEqual({
    code: 'UNKNOWN',
    sentence: "Can't reach the service. Try again when it's back.",
    violations: [],
    stderr: [],
  });
});
