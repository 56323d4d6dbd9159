import { expect, test } from 'vitest';
import { createFakePublisher } from '../../../test/support/fake-publisher.ts';
import { audioFrame, audioHeader, videoFrame, videoHeader } from '../../../test/support/flv-builder.ts';
import type { FlvTag } from '../flv/flv-tag.ts';
import { UnitReader } from '../flv/unit-reader.ts';
import { formatUnitTag } from '../flv/unit-tag.ts';
import type { PublicationEnd, WayMeasure } from '../publishing/media-publisher.ts';
import { Upload } from './upload.ts';

/** An upload whose connections are lost on command, and what each was sent. */
function setUp(measureWay?: () => WayMeasure) {
  const clock = { ms: 0 };
  const sent: FlvTag[][] = [];
  const states: (() => void)[] = [];
  let fall = (_: PublicationEnd) => {};
  const upload = new Upload({
    async connect() {
      const tags: FlvTag[] = [];
      sent.push(tags);
      const closed = new Promise<PublicationEnd>((resolve) => {
        fall = resolve;
      });
      return createFakePublisher(() => closed, {
        send: (unit) => void tags.push(formatUnitTag(unit)),
        close: async () => {
          fall({ kind: 'closed-by-us' });
          return true;
        },
        ...(measureWay && { measureWay }),
      });
    },
    network: { onReturn: () => () => {} },
    clock: { monotonicMs: () => clock.ms },
    onState: ({ kind }) => {
      if (kind === 'sending') states.shift()?.();
      else upload.reconnectNow();
    },
    onRefused: () => {},
  });
  const reader = new UnitReader();
  const send = (tag: FlvTag) => {
    const unit = reader.readUnit(tag);
    if (unit) upload.send(unit);
  };
  const nextConnection = () => new Promise<void>((resolve) => states.push(resolve));
  return {
    upload,
    clock,
    send,
    sent,
    nextConnection,
    async reconnect() {
      const connected = nextConnection();
      fall({ kind: 'lost', failure: { code: 'closed', during: 'sending' } });
      await connected;
      return sent.at(-1) ?? [];
    },
  };
}

const kinds = (tags: readonly FlvTag[]) => tags.map(({ kind, timestampMs }) => `${kind} ${timestampMs}`);
const sizeOf = (tags: readonly FlvTag[]) => tags.reduce((sum, { body }) => sum + body.length, 0);

test('a new connection starts with the current GOP', async () => {
  const { upload, send, nextConnection, reconnect } = setUp();
  await nextConnection();
  for (const tag of [videoHeader(), audioHeader(), videoFrame(0, { keyframe: true }), audioFrame(10), videoFrame(40)])
    send(tag);
  for (const tag of [videoFrame(80, { keyframe: true }), audioFrame(90)]) send(tag);
  expect(kinds(await reconnect())).toEqual(['video 80', 'audio 80', 'video 80', 'audio 90']);
  await upload.close();
});

test('a new connection starts with the next keyframe if the encoder had stopped: what it made before is not sent again', async () => {
  const { upload, clock, send, nextConnection, reconnect } = setUp();
  await nextConnection();
  for (const tag of [videoHeader(), audioHeader(), videoFrame(0, { keyframe: true }), videoFrame(40)]) send(tag);
  clock.ms = 10_000;
  const again = await reconnect();
  for (const tag of [audioFrame(12_000), videoFrame(12_010), videoFrame(12_050, { keyframe: true }), videoFrame(12_090)])
    send(tag);
  expect(kinds(again)).toEqual(['video 0', 'audio 0', 'audio 12000', 'video 12050', 'video 12090']);
  await upload.close();
});

test('a new connection that opens before another encoder has its first keyframe sends each frame after its own parameters', async () => {
  const { upload, send, nextConnection, reconnect } = setUp();
  await nextConnection();
  const [before, after] = [videoHeader('1280x720'), videoHeader('1920x1080 at 30', 80)];
  for (const tag of [before, audioHeader(), videoFrame(0, { keyframe: true }), videoFrame(40), after, audioFrame(85)])
    send(tag);
  const again = await reconnect();
  send(videoFrame(120, { keyframe: true }));
  expect(kinds(again)).toEqual(['video 0', 'audio 0', 'video 0', 'video 40', 'audio 85', 'video 85', 'video 120']);
  expect([again[0]?.body, again[5]?.body]).toEqual([before.body, after.body]);
  await upload.close();
});

test('an endless GOP is kept within bounds: a new connection starts with its newest media', async () => {
  const { upload, send, nextConnection, reconnect } = setUp();
  await nextConnection();
  for (const tag of [videoHeader(), audioHeader(), videoFrame(0, { keyframe: true })]) send(tag);
  // One frame of video, and then three hours of audio.
  for (let atMs = 0; atMs < 10_800_000; atMs += 640) send(audioFrame(atMs, 5_000));
  const again = await reconnect();
  expect(sizeOf(again)).toBeLessThan(20 * 1024 * 1024);
  expect(again.at(-1)?.timestampMs).toBe(10_799_360);
  // The keyframe comes just before the audio that is left.
  const [, , keyframe, sound] = again;
  expect([keyframe?.kind, keyframe?.body[0], keyframe?.timestampMs]).toEqual(['video', 0x17, sound?.timestampMs]);
  expect(again.slice(3).every(({ kind }) => kind === 'audio')).toBe(true);
  send(videoFrame(10_800_000, { keyframe: true }));
  expect(kinds(await reconnect()).at(-1)).toBe('video 10800000');
  await upload.close();
});

test.each([
  { what: 'sound whose video has stopped', video: true },
  { what: 'sound without video', video: false },
])('a new connection repeats $what for 5 s at most', async ({ video }) => {
  const { upload, send, nextConnection, reconnect } = setUp();
  await nextConnection();
  send(audioHeader());
  if (video) for (const tag of [videoHeader(), videoFrame(0, { keyframe: true }), videoFrame(40)]) send(tag);
  for (let atMs = 50; atMs <= 60_050; atMs += 20) send(audioFrame(atMs));
  const again = await reconnect();
  // Only a keyframe can follow, since the frame before is not repeated.
  if (video) for (const tag of [videoFrame(60_060), videoFrame(60_080, { keyframe: true })]) send(tag);
  const [headers, media] = video ? [['video 55050', 'audio 55050'], ['video 55050']] : [['audio 55050'], []];
  expect(kinds(again).slice(0, 4)).toEqual([...headers, ...media, 'audio 55050', 'audio 55070', 'audio 55090'].slice(0, 4));
  expect(kinds(again).at(-1)).toBe(video ? 'video 60080' : 'audio 60050');
  expect(kinds(again).filter((text) => text.startsWith('video'))).toHaveLength(video ? 3 : 0);
  await upload.close();
});

test('after frames were dropped, a new connection sends no video before the next keyframe', async () => {
  const { upload, send, sent, nextConnection, reconnect } = setUp();
  await nextConnection();
  const large = { sizeBytes: 1_000_000 };
  for (const tag of [videoHeader(), audioHeader(), videoFrame(0, { keyframe: true, ...large })]) send(tag);
  for (let atMs = 40; atMs <= 1_000; atMs += 40) for (const tag of [videoFrame(atMs, large), audioFrame(atMs)]) send(tag);
  // The open connection is sent all of them.
  expect(sent[0]?.filter(({ kind }) => kind === 'video')).toHaveLength(27);
  const again = await reconnect();
  send(videoFrame(1_040));
  send(audioFrame(1_040));
  send(videoFrame(1_080, { keyframe: true }));
  send(videoFrame(1_120));
  expect(kinds(again).filter((text) => text.startsWith('video'))).toEqual(['video 40', 'video 40', 'video 1080', 'video 1120']);
  expect(
    kinds(again)
      .filter((text) => text.startsWith('audio'))
      .slice(-2),
  ).toEqual(['audio 1000', 'audio 1040']);
  await upload.close();
});

test('frames are dropped up to the next keyframe while 700 ms wait, audio never is, and a new connection starts with all of the GOP', async () => {
  let waitMs = 0;
  const { upload, send, sent, nextConnection, reconnect } = setUp(() => ({ queueMs: waitMs, waitMs, carried: undefined }));
  await nextConnection();
  for (const tag of [videoHeader(), audioHeader(), videoFrame(0, { keyframe: true }), videoFrame(40)]) send(tag);
  waitMs = 700;
  for (const tag of [videoFrame(80), audioFrame(90)]) send(tag);
  waitMs = 0;
  for (const tag of [videoFrame(120), audioFrame(130)]) send(tag);
  expect(kinds(sent[0] ?? [])).toEqual(['video 0', 'audio 0', 'video 0', 'video 40', 'audio 90', 'audio 130']);
  expect([upload.droppedFrames, upload.takeDropReport()]).toEqual([2, undefined]);
  expect(kinds(await reconnect())).toEqual([
    ...['video 0', 'audio 0', 'video 0', 'video 40', 'video 80', 'audio 90', 'video 120', 'audio 130'],
  ]);
  send(videoFrame(160));
  expect(kinds(sent[1] ?? []).at(-1)).toBe('video 160');
  expect(upload.takeDropReport()).toEqual({ frames: 2, toKeyframe: true, withDisposable: false });
  await upload.close();
});

test('its bitrate is that of the media that it sends, and of none that it drops', async () => {
  let waitMs = 0;
  const { upload, clock, send, nextConnection } = setUp(() => ({ queueMs: waitMs, waitMs, carried: undefined }));
  const connected = nextConnection();
  send(videoHeader());
  await connected;
  expect(upload.sentBps).toBeUndefined();
  const play = (untilMs: number) => {
    for (; clock.ms < untilMs; clock.ms += 100) send(videoFrame(clock.ms, { keyframe: clock.ms === 0, sizeBytes: 12_500 }));
  };
  play(5_000);
  const bps = upload.sentBps ?? 0;
  expect(bps / 1_000_000).toBeCloseTo(1, 1);
  waitMs = 2_000;
  play(11_000);
  expect(upload.sentBps).toBe(0);
  await upload.close();
});
