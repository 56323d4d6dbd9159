import { ORPCError, ValidationError } from '@orpc/server';
import { pino } from 'pino';
import { expect, test } from 'vitest';
import { ServiceError } from '../../shared/errors.ts';
import { describeError } from '../../shared/words/error-words.ts';
import { toWireError } from './wire-error.ts';

const log = pino({ level: 'silent' });

test('an error crosses with its code, status, sentence and details', () => {
  const details = { missingFfmpeg: { code: 'not-found', installCommand: 'brew install ffmpeg' } } as const;
  const missing = new ServiceError('FFMPEG_NOT_FOUND', 'There is no ffmpeg.', { details });
  expect(toWireError(missing, log)).toMatchObject({
    code: 'FFMPEG_NOT_FOUND',
    status: 503,
    message: describeError(missing),
    data: details,
  });
});

test('an answer that breaks the contract is our fault, and in the log', () => {
  const lines: string[] = [];
  const issues = [
    { code: 'too_small', minimum: 0, origin: 'number', inclusive: true, path: ['onAirMs'], message: 'Too small' },
  ];
  const cause = new ValidationError({ message: 'Output validation failed', issues, data: { onAirMs: -1 } });
  const error = new ORPCError('INTERNAL_SERVER_ERROR', { message: 'Output validation failed', cause });
  expect(toWireError(error, pino({}, { write: (line: string) => lines.push(line) }))).toMatchObject({
    code: 'INTERNAL',
    message: 'Something went wrong in Tallylight. See its log for the cause.',
  });
  expect(lines).toEqual([expect.stringMatching(/Output validation failed.*onAirMs/)]);
});
