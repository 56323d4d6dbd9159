import { ORPCError } from '@orpc/client';
import { expect, test } from 'vitest';
import { describeFailure } from './failure.ts';

test('an error of the service keeps its code, its sentence and its details', () => {
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

test('violations are told one by one', () => {
  const violations = [
    { code: 'too-small', path: ['profiles', 0, 'width'], of: 'value', least: 128 },
    { code: 'required', path: ['name'] },
  ];
  const error = new ORPCError('INVALID_INPUT', { message: 'Two rules are broken.', data: { violations } });
  expect(describeFailure(error).violations).toEqual(violations);
});

test('whatever else is thrown says that the service cannot be reached', () => {
  expect(describeFailure(new Error('Cannot send message, WebSocket is not open.'))).toEqual({
    code: 'UNKNOWN',
    sentence: "Can't reach the service. Try again when it's back.",
    violations: [],
    stderr: [],
  });
});
