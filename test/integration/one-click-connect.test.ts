import { expect, test } from 'vitest';
import type { MediaPublisher } from '../../src/service/publishing/media-publisher.ts';
import { makeOddFfmpeg } from '../support/odd-ffmpeg.ts';
import { foundTools, goLive, setUpOneClicks } from '../support/one-click-stand.ts';

test('Stop while connecting to the ingest cancels the attempt and ends ffmpeg', async () => {
  const ffmpegPath = await makeOddFfmpeg('');
  const connecting = Promise.withResolvers<AbortSignal>();
  const { oneClicks } = setUpOneClicks({
    findTools: async () => ({ ...foundTools, ffmpeg: { kind: 'found', path: ffmpegPath, version: '7', from: 'PATH' } }),
    connect: (_streamId, signal) => {
      connecting.resolve(signal);
      return new Promise<MediaPublisher>((_resolve, reject) => {
        signal.addEventListener('abort', () => reject(signal.reason));
      });
    },
  });
  await goLive(oneClicks);
  const signal = await connecting.promise;
  await oneClicks.stop('show');
  expect(signal.aborted).toBe(true);
  expect(oneClicks.state('show')).toEqual({ kind: 'idle' });
});

test('a broadcast becomes ready once, when it first connects, and not when it reconnects', async () => {
  const ffmpegPath = await makeOddFfmpeg('');
  const told: string[] = [];
  const third = Promise.withResolvers<void>();
  const { oneClicks } = setUpOneClicks({
    findTools: async () => ({ ...foundTools, ffmpeg: { kind: 'found', path: ffmpegPath, version: '7', from: 'PATH' } }),
    onReady: (streamId) => told.push(`${streamId} is ready`),
    async connect() {
      told.push('connects');
      if (told.length === 4) third.resolve();
      setImmediate(() => oneClicks.reconnectNow('show'));
      throw new Error('The ingest is gone.');
    },
  });
  await goLive(oneClicks);
  expect(told).toEqual([]);
  await third.promise;
  expect(told.slice(0, 4)).toEqual(['show is ready', 'connects', 'connects', 'connects']);
});
