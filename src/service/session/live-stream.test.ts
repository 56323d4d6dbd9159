import { beforeEach, expect, test } from 'vitest';
import { eightSeconds, LiveStage, oneSegment } from '../../../test/support/live-stage.ts';

let stage: LiveStage;
beforeEach(() => {
  stage = new LiveStage();
});

test('a stream is connecting until its first segment is playable, and only then has a session', () => {
  const sink = stage.stream.admit(stage.createPublisher());
  stage.play(
    sink,
    eightSeconds.filter((tag) => tag.timestampMs < 1_900),
  );
  expect(stage.stream.air.kind).toBe('connecting');
  expect(stage.stream.playback()).toEqual({ kind: 'off-air' });
  expect(stage.ledger).toEqual([]);
  stage.play(
    sink,
    eightSeconds.filter((tag) => tag.timestampMs >= 1_900 && tag.timestampMs < 2_500),
  );
  expect(stage.stream.air).toEqual({ kind: 'on-air', since: expect.any(Number), sessionId: 'session-1' });
  expect(stage.playlist()).toEqual(['#EXT-X-MEDIA-SEQUENCE:0', '0.m4s']);
});

test('where the latency comes from is told while on air and kept after a drop, until another publisher comes', () => {
  expect(stage.stream.latency()).toBeUndefined();
  const sink = stage.stream.admit(stage.createPublisher());
  stage.play(sink);
  const measured = { fromCapture: false, packagingMs: expect.any(Number) };
  expect(stage.stream.latency()).toEqual(measured);
  sink.end({ kind: 'lost', sentence: 'The connection fell.' });
  expect(stage.stream.air.kind).toBe('reconnecting');
  expect(stage.stream.latency()).toEqual(measured);
  stage.stream.admit(stage.createPublisher());
  expect(stage.stream.latency()).toBeUndefined();
  stage.state.now += 60_000;
  stage.stream.tick();
  expect(stage.stream.latency()).toBeUndefined();
});

test('a publisher that says goodbye ends the broadcast at once, every segment counted', () => {
  const sink = stage.stream.admit(stage.createPublisher());
  stage.play(sink);
  sink.end({ kind: 'unpublished' });
  expect(stage.stream.air).toEqual({ kind: 'off-air', endedAt: stage.state.now, reason: 'stopped' });
  expect(stage.playlist()).toEqual(['#EXT-X-MEDIA-SEQUENCE:0', '0.m4s', '1.m4s', '2.m4s', '3.m4s', '#EXT-X-ENDLIST']);
  expect(stage.stream.playback()).toMatchObject({ kind: 'playable', multivariant: 'ended' });
  expect(stage.ledger.filter((entry) => (entry as unknown[])[0] !== 'progress' || (entry as unknown[])[2] !== 0)).toEqual([
    ['begin', 'stream-1', expect.any(Number)],
    ['progress', 'session-1', 1],
    ['progress', 'session-1', 1],
    ['progress', 'session-1', 1],
    ['progress', 'session-1', 1],
    ['end', 'session-1', 'stopped'],
  ]);
});

test('a lost publisher that is back within the window continues the session after a discontinuity', () => {
  const first = stage.stream.admit(stage.createPublisher());
  stage.play(first);
  first.end({ kind: 'lost', sentence: 'The connection was reset.' });
  const lostAt = stage.state.now;
  expect(stage.stream.air).toMatchObject({ kind: 'reconnecting', sessionId: 'session-1', until: lostAt + 60_000 });
  expect(stage.playlist()).not.toContain('#EXT-X-ENDLIST');
  stage.state.now += 59_000;
  stage.stream.tick();
  const second = stage.stream.admit(stage.createPublisher());
  expect(stage.stream.air.kind).toBe('reconnecting');
  stage.play(second, oneSegment);
  expect(stage.stream.air).toMatchObject({ kind: 'on-air', sessionId: 'session-1' });
  expect(stage.playlist().slice(-3)).toEqual(['3.m4s', '#EXT-X-DISCONTINUITY', '4.m4s']);
  expect(stage.state.sessions).toBe(1);
});

test('a lost publisher that stays away ends the broadcast when the window has passed', () => {
  const sink = stage.stream.admit(stage.createPublisher());
  stage.play(sink);
  sink.end({ kind: 'lost', sentence: 'The connection was reset.' });
  stage.state.now += 59_999;
  stage.stream.tick();
  expect(stage.stream.air.kind).toBe('reconnecting');
  stage.state.now += 1;
  stage.stream.tick();
  expect(stage.stream.air).toMatchObject({ kind: 'off-air', reason: 'ingest-lost' });
  expect(stage.playlist().at(-1)).toBe('#EXT-X-ENDLIST');
  expect(stage.ledger.at(-1)).toEqual(['end', 'session-1', 'ingest-lost']);
});

test('the last segment of a publisher that fell silent is counted, and does not move lastSeen past its media', () => {
  const sink = stage.stream.admit(stage.createPublisher());
  stage.play(sink);
  const lastMediaAt = stage.state.now;
  stage.state.now += 10_000;
  sink.end({ kind: 'lost', sentence: 'No media came for 10 s.' });
  expect(stage.playlist().at(-1)).toBe('3.m4s');
  expect(stage.state.lastSeen).toBe(lastMediaAt);
});

test('a second publisher takes over at once: the older is closed, the session and the playlist go on', () => {
  const older = stage.createPublisher();
  const olderSink = stage.stream.admit(older);
  stage.play(olderSink);
  const newer = stage.createPublisher();
  const newerSink = stage.stream.admit(newer);
  expect(older.closedWith).toEqual(['Another encoder took over this stream key.']);
  expect(stage.stream.air.kind).toBe('on-air');
  olderSink.end({ kind: 'lost', sentence: 'The connection was reset.' });
  stage.play(newerSink, oneSegment);
  expect(stage.stream.air).toMatchObject({ kind: 'on-air', sessionId: 'session-1' });
  expect(stage.playlist()).toEqual([
    '#EXT-X-MEDIA-SEQUENCE:0',
    '0.m4s',
    '1.m4s',
    '2.m4s',
    '3.m4s',
    '#EXT-X-DISCONTINUITY',
    '4.m4s',
  ]);
  expect(newer.closedWith).toEqual([]);
});

test('an encoder that was stopped here is refused for five seconds, unless Go live lifts it', () => {
  const publisher = stage.createPublisher();
  stage.play(stage.stream.admit(publisher));
  stage.stream.end('stopped');
  expect(publisher.closedWith).toEqual(['The broadcast was stopped.']);
  expect(stage.stream.refusal()).toBe('This broadcast was just stopped in Tallylight. Start it again in a few seconds.');
  stage.stream.liftHold();
  expect(stage.stream.refusal()).toBeUndefined();
});

test('a broadcast ended through the API leaves the stream usable at once', () => {
  stage.play(stage.stream.admit(stage.createPublisher()));
  stage.stream.end('terminated');
  expect(stage.stream.air).toMatchObject({ kind: 'off-air', reason: 'terminated' });
  expect(stage.stream.refusal()).toBeUndefined();
});

test('a publisher that leaves before its first segment leaves no session', () => {
  const sink = stage.stream.admit(stage.createPublisher());
  sink.end({ kind: 'lost', sentence: 'It sent nothing for 10 s.' });
  expect(stage.stream.air).toMatchObject({ kind: 'off-air', reason: 'ingest-lost' });
  expect(stage.ledger).toEqual([]);
  expect(stage.stream.log.lines[0]).toMatchObject({
    severity: 'bad',
    sentence: 'The encoder left before its first segment. It sent nothing for 10 s.',
  });
});

test('meters stay with their age after a drop', () => {
  const sink = stage.stream.admit(stage.createPublisher());
  stage.play(sink);
  const live = stage.stream.meters();
  expect(live).toMatchObject({
    measuredAt: stage.state.now,
    width: 160,
    height: 90,
    keyframeIntervalSeconds: 2,
    audioSampleRateHz: 44_100,
  });
  expect(live?.fps).toBeCloseTo(10, 1);
  sink.end({ kind: 'lost', sentence: 'The connection was reset.' });
  stage.state.now += 30_000;
  expect(stage.stream.meters()).toEqual(live);
});

test('malformed media is left out, said once, and the broadcast goes on', () => {
  const sink = stage.stream.admit(stage.createPublisher());
  const broken = { kind: 'video', timestampMs: 100, body: Buffer.from([0x27, 1, 0, 0, 0, 0xff, 0xff]) } as const;
  stage.play(
    sink,
    eightSeconds.flatMap((tag) =>
      tag.kind === 'video' && tag.timestampMs > 0 ? [tag, { ...broken, timestampMs: tag.timestampMs }] : [tag],
    ),
  );
  expect(stage.stream.air.kind).toBe('on-air');
  expect(stage.stream.log.lines.filter(({ severity }) => severity === 'warn').map(({ sentence }) => sentence)).toEqual([
    'The encoder sent media that cannot be played, which is left out: A video frame has broken NAL unit lengths.',
  ]);
});
