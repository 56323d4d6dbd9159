import { pino } from 'pino';
import { expect, test } from 'vitest';
import { connectByPort } from '../../../test/support/contract-connections.ts';
import { ServiceError } from '../../shared/errors.ts';
import { testSource } from '../../shared/model/source.ts';
import { SourcePreviews } from '../capture/source-previews.ts';
import { createSystemClock } from '../lib/system-clock.ts';
import { type HandlerContext, implementContract } from './handler-context.ts';
import type { ContractRouter } from './router.ts';
import { sourceHandlers } from './source.ts';

test('a page whose preview is refused hears why', async () => {
  const missing = new ServiceError('FFMPEG_NOT_FOUND', 'There is no ffmpeg.', {
    details: { missingFfmpeg: { code: 'not-found', installCommand: 'brew install ffmpeg' } },
  });
  const previews = new SourcePreviews({ findTools: () => Promise.reject(missing), clock: createSystemClock() });
  const context = { previews, log: pino({ level: 'silent' }) } as unknown as HandlerContext;
  const router = sourceHandlers(implementContract(context), context) as unknown as ContractRouter;
  await using connection = await connectByPort(router);
  const shown = await connection.client.source.watchPreview({ source: testSource });
  await expect(shown.next()).rejects.toMatchObject({
    code: 'FFMPEG_NOT_FOUND',
    message: 'No ffmpeg was found. Run "brew install ffmpeg" to install it.',
  });
});
