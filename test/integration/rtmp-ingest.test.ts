import { expect, test } from 'vitest';
import type { MediaUnit } from '../../src/service/media/media-unit.ts';
import { startFfmpegPublisher } from '../support/ffmpeg-publisher.ts';
import { type IngestStand, refusedStreamKey, startIngestStand } from '../support/ingest-stand.ts';
import { soon } from '../support/soon.ts';

const streamKey = 'abcd-efgh-ijkl-mnop';

function push({ server }: IngestStand, key: string, options?: Parameters<typeof startFfmpegPublisher>[1]) {
  return startFfmpegPublisher(`rtmp://127.0.0.1:${server.port}/live/${key}`, options);
}

function timesOf(units: readonly MediaUnit[], type: MediaUnit['type']): number[] {
  return units.filter((unit) => unit.type === type).map(({ dts }) => dts);
}

test('ffmpeg publishes and ends: metadata, headers and every frame arrive, and the stream is unpublished', async () => {
  await using stand = await startIngestStand();
  await using ffmpeg = push(stand, streamKey, { seconds: 2, rate: 30 });
  expect(await ffmpeg.ended).toMatchObject({ exitCode: 0 });
  await stand.allGone();
  const [publisher] = stand.publishers;
  const units = publisher?.units ?? [];
  expect(stand.publishers.map(({ streamKey, ends }) => [streamKey, ends])).toEqual([[streamKey, [{ kind: 'unpublished' }]]]);
  expect(publisher?.received[0]).toBe('metadata');
  expect(publisher?.metadata).toMatchObject([
    { statedSoftware: expect.stringContaining('Lavf'), fps: 30, announcesVideo: true },
  ]);
  expect(units.slice(0, 2).map((unit) => unit.type === 'config' && unit.config.format.name)).toEqual(['H.264', 'AAC']);
  const frameTimes = timesOf(units, 'video').slice(0, 60);
  const [firstMs = 0] = frameTimes;
  expect(frameTimes.length).toBe(60);
  expect(frameTimes.filter((time, index) => Math.abs(time - firstMs - (index * 1000) / 30) > 1)).toEqual([]);
  const audioTimes = timesOf(units, 'audio');
  expect(audioTimes).toEqual(audioTimes.toSorted((one, other) => one - other));
  expect(Math.max(...audioTimes)).toBeGreaterThan(1_900);
  expect(stand.reasons().filter((reason) => reason !== 'EPIPE' && reason !== 'ECONNRESET')).toEqual([]);
});

test('a killed ffmpeg is a lost publisher, and may reconnect at once', async () => {
  await using stand = await startIngestStand();
  await using first = push(stand, streamKey);
  await soon(() => expect(stand.publishers[0]?.received.length).toBeGreaterThan(20), 20_000);
  await first.kill();
  await stand.allGone();
  expect(stand.publishers[0]?.ends).toMatchObject([{ kind: 'lost' }]);
  await using _second = push(stand, streamKey);
  await soon(() => expect(stand.publishers[1]?.received.length).toBeGreaterThan(20), 20_000);
  expect(stand.publishers[1]?.ends).toEqual([]);
});

test('ffmpeg with a refused key fails at once and shows the sentence', async () => {
  await using stand = await startIngestStand();
  await using ffmpeg = push(stand, refusedStreamKey);
  const { exitCode, stderr } = await ffmpeg.ended;
  expect(exitCode).not.toBe(0);
  expect(stderr).toContain('Server error: Unknown stream key. Copy it again from Tallylight.');
  expect(stand.publishers).toEqual([]);
  await stand.allGone();
});

test.each([
  [
    'video',
    ['-c:v', 'flv1'],
    'Sorenson H.263',
    "Sorenson H.263 video isn't supported. Choose H.264 in the encoder's settings.",
  ],
  ['audio', ['-c:a', 'libmp3lame', '-ar', '44100'], 'MP3', "MP3 audio isn't supported. Choose AAC in the encoder's settings."],
])('ffmpeg with an unsupported %s codec is told which to choose', async (track, args, name, sentence) => {
  await using stand = await startIngestStand();
  await using ffmpeg = push(stand, streamKey, { args });
  const { exitCode, stderr } = await ffmpeg.ended;
  expect(exitCode).not.toBe(0);
  expect(stderr).toContain(`Server error: ${sentence}`);
  expect(stand.publishers[0]?.ends).toEqual([{ kind: 'lost', cause: { code: 'codec', track, name } }]);
  await stand.allGone();
});
