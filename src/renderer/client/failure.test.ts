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
    sentences: [],
    stderr: ['moov atom not found'],
  });
});

test('violations found at the contract read like those of the service', () => {
  const error = new ORPCError('BAD_REQUEST', {
    message: 'Input validation failed',
    data: { issues: [{ path: ['profiles', 0, 'width'], message: 'Too small' }] },
  });
  expect(describeFailure(error).sentences).toEqual(['profiles[0].width: Too small']);
});

test('whatever else is thrown says that the service cannot be reached', () => {
  expect(describeFailure(new Error('Cannot send message, WebSocket is not open.'))).toEqual({
    code: 'UNKNOWN',
    sentence: 'The service cannot be reached; try again when it is back.',
    sentences: [],
    stderr: [],
  });
});
