import { ORPCError, ValidationError } from '@orpc/server';
import { pino } from 'pino';
import { expect, test } from 'vitest';
import { ServiceError } from '../../shared/errors.ts';
import { toWireError } from './wire-error.ts';

const log = pino({ level: 'silent' });

test('codes in the details of an error become its sentence', () => {
  const missing = new ServiceError('FFMPEG_NOT_FOUND', 'There is no ffmpeg.', {
    details: { missingFfmpeg: { code: 'not-found', installCommand: 'brew install ffmpeg' } },
  });
  expect(toWireError(missing, log)).toMatchObject({
    code: 'FFMPEG_NOT_FOUND',
    status: 503,
    message: 'No ffmpeg was found. Run "brew install ffmpeg" to install it.',
    data: { missingFfmpeg: { code: 'not-found', installCommand: 'brew install ffmpeg' } },
  });
});

test('an error without such details keeps its sentence', () => {
  expect(toWireError(new ServiceError('OFF_AIR', 'The stream is off air.'), log)).toMatchObject({
    code: 'OFF_AIR',
    message: 'The stream is off air.',
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
