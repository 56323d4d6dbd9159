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
    message: 'No ffmpeg was found. Install it with: brew install ffmpeg',
    data: { missingFfmpeg: { code: 'not-found', installCommand: 'brew install ffmpeg' } },
  });
});

test('an error without such details keeps its sentence', () => {
  expect(toWireError(new ServiceError('OFF_AIR', 'The stream is off air.'), log)).toMatchObject({
    code: 'OFF_AIR',
    message: 'The stream is off air.',
  });
});
