import { beforeEach, expect, test } from 'vitest';
import { readEightSeconds } from '../../../test/support/flv-fixture.ts';
import { formatMediaPlaylist } from '../hls/playlist/media-playlist.ts';
import type { Publisher, PublisherSink } from '../ingest/publish-gate.ts';
import type { FlvTag } from '../media/flv-tag.ts';
import { LiveStream } from './live-stream.ts';

const tags = readEightSeconds();

/** A stream with a clock that stands until it is moved, and a ledger that notes what it is told. */
function setUp({ next = { nextMediaSequence: 0, nextDiscontinuitySequence: 0 } } = {}) {
  const state = { now: 1_700_000_000_000, sessions: 0, lastSeen: 0 };
  const ledger: unknown[] = [];
  const stream = new LiveStream({
    streamId: 'stream-1',
    playbackId: 'abcdefgh12345678',
    clock: { now: () => state.now },
    reconnectWindowMs: () => 60_000,
    liveWindowSeconds: () => 60,
    partMs: () => 200,
    onChange: () => {},
    profiles: () => [],
    startLadder: () => undefined,
    ledger: {
      beginSession: (streamId, at) => {
        state.sessions += 1;
        ledger.push(['begin', streamId, at]);
        return { id: `session-${state.sessions}` };
      },
      addProgress: (sessionId, progress) => {
        state.lastSeen = Math.max(state.lastSeen, progress.lastSeen);
        ledger.push(['progress', sessionId, progress.sourceSegments ?? 0]);
      },
      endSession: (sessionId, _at, reason) => ledger.push(['end', sessionId, reason]),
      addLateTranscoded: () => {},
      getNextSequences: () => next,
    },
  });
  return { state, ledger, stream };
}

type Stage = ReturnType<typeof setUp>;

interface TestPublisher extends Publisher {
  closedWith: string[];
}

function createPublisher(stage: Stage): TestPublisher {
  const closedWith: string[] = [];
  return {
    remoteAddress: '127.0.0.1',
    software: undefined,
    connectedAt: stage.state.now,
    close: (sentence) => closedWith.push(sentence),
    closedWith,
  };
}

/** Feeds tags in real time of the stage's clock. */
function play(stage: Stage, sink: PublisherSink, some: readonly FlvTag[] = tags) {
  const startMs = stage.state.now;
  const first = some[0]?.timestampMs ?? 0;
  for (const tag of some) {
    stage.state.now = startMs + (tag.timestampMs - first);
    sink.tag(tag);
  }
}

function playlistOf(stage: Stage): string[] {
  const playback = stage.stream.playback();
  if (playback.kind !== 'playable') return [playback.kind];
  const store = playback.renditions[0]?.store;
  const text = store ? formatMediaPlaylist(store) : '';
  return text
    .split('\n')
    .filter((line) => /^#EXT-X-(MEDIA-SEQUENCE|DISCONTINUITY$|DISCONTINUITY-SEQUENCE:[^0]|ENDLIST)|\.m4s$/.test(line));
}

let stage: Stage;
beforeEach(() => {
  stage = setUp();
});

test('a stream is connecting until its first segment is playable, and only then has a session', () => {
  const sink = stage.stream.admit(createPublisher(stage));
  play(
    stage,
    sink,
    tags.filter((tag) => tag.timestampMs < 1_900),
  );
  expect(stage.stream.air.kind).toBe('connecting');
  expect(stage.stream.playback()).toEqual({ kind: 'off-air' });
  expect(stage.ledger).toEqual([]);
  play(
    stage,
    sink,
    tags.filter((tag) => tag.timestampMs >= 1_900 && tag.timestampMs < 2_500),
  );
  expect(stage.stream.air).toEqual({ kind: 'on-air', since: expect.any(Number), sessionId: 'session-1' });
  expect(playlistOf(stage)).toEqual(['#EXT-X-MEDIA-SEQUENCE:0', '0.m4s']);
});

test('where the latency comes from is told while on air and kept after a drop, until another publisher comes', () => {
  expect(stage.stream.latency()).toBeUndefined();
  const sink = stage.stream.admit(createPublisher(stage));
  play(stage, sink);
  const measured = { fromCapture: false, packagingMs: expect.any(Number) };
  expect(stage.stream.latency()).toEqual(measured);
  sink.end({ kind: 'lost', sentence: 'The connection fell.' });
  expect(stage.stream.air.kind).toBe('reconnecting');
  expect(stage.stream.latency()).toEqual(measured);
  stage.stream.admit(createPublisher(stage));
  expect(stage.stream.latency()).toBeUndefined();
  stage.state.now += 60_000;
  stage.stream.tick();
  expect(stage.stream.latency()).toBeUndefined();
});

test('a publisher that says goodbye ends the broadcast at once, every segment counted', () => {
  const sink = stage.stream.admit(createPublisher(stage));
  play(stage, sink);
  sink.end({ kind: 'unpublished' });
  expect(stage.stream.air).toEqual({ kind: 'off-air', endedAt: stage.state.now, reason: 'stopped' });
  expect(playlistOf(stage)).toEqual(['#EXT-X-MEDIA-SEQUENCE:0', '0.m4s', '1.m4s', '2.m4s', '3.m4s', '#EXT-X-ENDLIST']);
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
  const first = stage.stream.admit(createPublisher(stage));
  play(stage, first);
  first.end({ kind: 'lost', sentence: 'The connection was reset.' });
  const lostAt = stage.state.now;
  expect(stage.stream.air).toMatchObject({ kind: 'reconnecting', sessionId: 'session-1', until: lostAt + 60_000 });
  expect(playlistOf(stage)).not.toContain('#EXT-X-ENDLIST');
  stage.state.now += 59_000;
  stage.stream.tick();
  const second = stage.stream.admit(createPublisher(stage));
  expect(stage.stream.air.kind).toBe('reconnecting');
  play(
    stage,
    second,
    tags.filter((tag) => tag.timestampMs < 2_500),
  );
  expect(stage.stream.air).toMatchObject({ kind: 'on-air', sessionId: 'session-1' });
  expect(playlistOf(stage).slice(-3)).toEqual(['3.m4s', '#EXT-X-DISCONTINUITY', '4.m4s']);
  expect(stage.state.sessions).toBe(1);
});

test('a lost publisher that stays away ends the broadcast when the window has passed', () => {
  const sink = stage.stream.admit(createPublisher(stage));
  play(stage, sink);
  sink.end({ kind: 'lost', sentence: 'The connection was reset.' });
  stage.state.now += 59_999;
  stage.stream.tick();
  expect(stage.stream.air.kind).toBe('reconnecting');
  stage.state.now += 1;
  stage.stream.tick();
  expect(stage.stream.air).toMatchObject({ kind: 'off-air', reason: 'ingest-lost' });
  expect(playlistOf(stage).at(-1)).toBe('#EXT-X-ENDLIST');
  expect(stage.ledger.at(-1)).toEqual(['end', 'session-1', 'ingest-lost']);
});

test('the last segment of a publisher that fell silent is counted, and does not move lastSeen past its media', () => {
  const sink = stage.stream.admit(createPublisher(stage));
  play(stage, sink);
  const lastMediaAt = stage.state.now;
  stage.state.now += 10_000;
  sink.end({ kind: 'lost', sentence: 'No media came for 10 s.' });
  expect(playlistOf(stage).at(-1)).toBe('3.m4s');
  expect(stage.state.lastSeen).toBe(lastMediaAt);
});

test('a second publisher takes over at once: the older is closed, the session and the playlist go on', () => {
  const older = createPublisher(stage);
  const olderSink = stage.stream.admit(older);
  play(stage, olderSink);
  const newer = createPublisher(stage);
  const newerSink = stage.stream.admit(newer);
  expect(older.closedWith).toEqual(['Another encoder took over this stream key.']);
  expect(stage.stream.air.kind).toBe('on-air');
  olderSink.end({ kind: 'lost', sentence: 'The connection was reset.' });
  play(
    stage,
    newerSink,
    tags.filter((tag) => tag.timestampMs < 2_500),
  );
  expect(stage.stream.air).toMatchObject({ kind: 'on-air', sessionId: 'session-1' });
  expect(playlistOf(stage)).toEqual([
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

test('the next broadcast has a session of its own, and media sequence numbers go on', () => {
  const first = stage.stream.admit(createPublisher(stage));
  play(stage, first);
  first.end({ kind: 'unpublished' });
  stage.state.now += 5_000;
  const second = stage.stream.admit(createPublisher(stage));
  play(
    stage,
    second,
    tags.filter((tag) => tag.timestampMs < 2_500),
  );
  expect(stage.stream.air).toMatchObject({ kind: 'on-air', sessionId: 'session-2' });
  expect(playlistOf(stage).slice(-2)).toEqual(['#EXT-X-DISCONTINUITY', '4.m4s']);
  expect(playlistOf(stage)).not.toContain('#EXT-X-ENDLIST');
});

test('after the live window an ended broadcast is off air and its segments are gone', () => {
  const sink = stage.stream.admit(createPublisher(stage));
  play(stage, sink);
  sink.end({ kind: 'unpublished' });
  stage.state.now += 60_001;
  stage.stream.tick();
  expect(stage.stream.playback()).toEqual({ kind: 'off-air' });
});

test('an encoder that was stopped here is refused for five seconds, unless Go live lifts it', () => {
  const publisher = createPublisher(stage);
  play(stage, stage.stream.admit(publisher));
  stage.stream.end('stopped');
  expect(publisher.closedWith).toEqual(['The broadcast was stopped.']);
  expect(stage.stream.refusal()).toBe('This broadcast was just stopped in Tallylight. Start it again in a few seconds.');
  stage.stream.liftHold();
  expect(stage.stream.refusal()).toBeUndefined();
});

test('a broadcast ended through the API leaves the stream usable at once', () => {
  play(stage, stage.stream.admit(createPublisher(stage)));
  stage.stream.end('terminated');
  expect(stage.stream.air).toMatchObject({ kind: 'off-air', reason: 'terminated' });
  expect(stage.stream.refusal()).toBeUndefined();
});

test('a publisher that leaves before its first segment leaves no session', () => {
  const sink = stage.stream.admit(createPublisher(stage));
  sink.end({ kind: 'lost', sentence: 'It sent nothing for 10 s.' });
  expect(stage.stream.air).toMatchObject({ kind: 'off-air', reason: 'ingest-lost' });
  expect(stage.ledger).toEqual([]);
  expect(stage.stream.log.lines[0]).toMatchObject({
    severity: 'bad',
    sentence: 'The encoder left before its first segment: It sent nothing for 10 s.',
  });
});

test('meters stay with their age after a drop', () => {
  const sink = stage.stream.admit(createPublisher(stage));
  play(stage, sink);
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

test('program date-times keep to the wall clock though the encoder is slower than real time', () => {
  const sink = stage.stream.admit(createPublisher(stage));
  const startMs = stage.state.now;
  for (const tag of tags) {
    stage.state.now = startMs + tag.timestampMs * 2;
    sink.tag(tag);
  }
  sink.end({ kind: 'unpublished' });
  const playback = stage.stream.playback();
  const segments = playback.kind === 'playable' ? (playback.renditions[0]?.store.segments ?? []) : [];
  expect(segments.map(({ programDateTimeMs }) => Math.round((programDateTimeMs - startMs) / 1000))).toEqual([0, 2, 6, 10]);
});

test('malformed media is left out, said once, and the broadcast goes on', () => {
  const sink = stage.stream.admit(createPublisher(stage));
  const broken = { kind: 'video', timestampMs: 100, body: Buffer.from([0x27, 1, 0, 0, 0, 0xff, 0xff]) } as const;
  play(
    stage,
    sink,
    tags.flatMap((tag) =>
      tag.kind === 'video' && tag.timestampMs > 0 ? [tag, { ...broken, timestampMs: tag.timestampMs }] : [tag],
    ),
  );
  expect(stage.stream.air.kind).toBe('on-air');
  expect(stage.stream.log.lines.filter(({ severity }) => severity === 'warn').map(({ sentence }) => sentence)).toEqual([
    'The encoder sent media that cannot be played, which is left out: A video frame has broken NAL unit lengths.',
  ]);
});

test('after a restart of the service numbers go on beyond those that were stored', () => {
  stage = setUp({ next: { nextMediaSequence: 40, nextDiscontinuitySequence: 2 } });
  play(
    stage,
    stage.stream.admit(createPublisher(stage)),
    tags.filter((tag) => tag.timestampMs < 2_500),
  );
  expect(playlistOf(stage)).toEqual([
    '#EXT-X-MEDIA-SEQUENCE:56',
    '#EXT-X-DISCONTINUITY-SEQUENCE:3',
    '#EXT-X-DISCONTINUITY',
    '56.m4s',
  ]);
});
