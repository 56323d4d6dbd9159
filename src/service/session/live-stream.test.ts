import { beforeEach, expect, test } from 'vitest';
import { broadcast, encoderMetadata } from '../../../test/support/flv-builder.ts';
import { eightSeconds, LiveStage, oneSegment } from '../../../test/support/live-stage.ts';
import { pushTag } from '../../../test/support/push-tag.ts';
import { recommendedProfiles } from '../../shared/model/profile.ts';
import type { FlvTag } from '../flv/flv-tag.ts';
import type { PublisherSink } from '../ingest/publish-gate.ts';
import { ownSoftware } from '../lib/own-software.ts';
import type { RunningLadder } from '../transcode/running-ladder.ts';

const firstOf = (tags: readonly FlvTag[], durationMs: number) => tags.filter(({ timestampMs }) => timestampMs < durationMs);

const halfSegment = firstOf(oneSegment, 1_500);
const soundAlone = broadcast({ durationMs: 8_000, video: false });
const secondOfSound = firstOf(soundAlone, 1_100);

let stage: LiveStage;
beforeEach(() => {
  stage = new LiveStage();
});

/** Puts a publisher on air, then breaks its connection. */
function playAndLose(): void {
  const sink = stage.stream.admit(stage.createPublisher());
  stage.play(sink);
  sink.end({ kind: 'lost', cause: { code: 'connection-broke', reason: 'ECONNRESET' } });
}

/** Admits a publisher that has announced video and audio. */
function admitAnnounced(): PublisherSink {
  const sink = stage.stream.admit(stage.createPublisher());
  pushTag(sink, encoderMetadata({ videocodecid: 7, audiocodecid: 10 }));
  return sink;
}

test('a stream is connecting until its first segment is playable, and only then has a session', () => {
  const sink = stage.stream.admit(stage.createPublisher());
  stage.play(sink, firstOf(eightSeconds, 1_900));
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

test.each([
  ['announced its picture', [encoderMetadata({ videocodecid: 12, audiocodecid: 10 })]],
  ['announced nothing', []],
])(
  'a publisher that %s and is refused for its codec leaves no session of its audio, and the fixed one begins with both',
  (_, first) => {
    const refused = stage.stream.admit(stage.createPublisher());
    stage.play(refused, [...first, ...soundAlone.slice(0, 40)]);
    refused.end({ kind: 'lost', cause: { code: 'codec', track: 'video', name: 'HEVC' } });
    expect(stage.stream.air).toMatchObject({ kind: 'off-air' });
    expect(stage.state.sessions).toBe(0);
    const mended = stage.stream.admit(stage.createPublisher());
    stage.play(mended, oneSegment);
    const playback = stage.stream.playback();
    const segments = playback.kind === 'playable' ? (playback.renditions[0]?.store.segments ?? []) : [];
    expect(segments.map(({ init }) => Object.keys(init.tracks))).toEqual([['video', 'audio']]);
  },
);

test('audio begins no session before the video that the publisher announced, as long as the stream waits for that', () => {
  const sink = admitAnnounced();
  stage.play(sink, firstOf(soundAlone, 4_500));
  expect(stage.stream.air.kind).toBe('connecting');
  const other = new LiveStage();
  const radio = other.stream.admit(other.createPublisher());
  pushTag(radio, encoderMetadata({ audiocodecid: 10 }));
  other.play(radio, firstOf(soundAlone, 4_500));
  expect(other.stream.air.kind).toBe('on-air');
});

test('a stream on air is silent after 3 s without media, since media last came, until it comes again', () => {
  const sink = stage.stream.admit(stage.createPublisher());
  stage.play(sink);
  const lastMediaAt = stage.state.now;
  const onAir = { kind: 'on-air', since: expect.any(Number), sessionId: 'session-1' };
  stage.state.now = lastMediaAt + 3_000;
  expect(stage.stream.air).toEqual(onAir);
  stage.state.now = lastMediaAt + 3_001;
  expect(stage.stream.air).toEqual({ ...onAir, silentSince: lastMediaAt });
  stage.play(
    sink,
    eightSeconds.slice(-1).map((tag) => ({ ...tag, timestampMs: tag.timestampMs + 3_000 })),
  );
  expect(stage.stream.air).toEqual(onAir);
});

test('media that keeps coming is no news', () => {
  let changes = 0;
  stage = new LiveStage({ onChange: () => (changes += 1) });
  const sink = stage.stream.admit(stage.createPublisher());
  stage.play(sink, firstOf(eightSeconds, 4_500));
  const before = changes;
  stage.play(
    sink,
    eightSeconds.filter(({ timestampMs }) => timestampMs >= 4_500 && timestampMs < 5_500),
  );
  expect(changes).toBe(before);
});

test('a publisher that is replaced before its first segment leaves no ladder behind', () => {
  const drained: number[] = [];
  let ladders = 0;
  const startLadder = (): RunningLadder => {
    ladders += 1;
    const ladder = ladders;
    const drain = async () => void drained.push(ladder);
    return { stateOf: () => 'running', push: () => {}, tick: () => {}, leaveOut: () => {}, drain };
  };
  stage = new LiveStage({ profiles: () => recommendedProfiles, startLadder });
  stage.play(stage.stream.admit(stage.createPublisher()), halfSegment);
  expect([ladders, drained]).toEqual([1, []]);
  stage.stream.admit(stage.createPublisher());
  expect([ladders, drained, stage.stream.air.kind]).toEqual([2, [1], 'connecting']);
});

test('a publisher that has sent nothing yet is as fast as real time', () => {
  stage.stream.admit(stage.createPublisher());
  expect(stage.stream.facts().pace).toBe(1);
});

test('the latency breakdown is reported on air and kept after a drop, until another publisher comes', () => {
  expect(stage.stream.facts().latency).toBeUndefined();
  const sink = stage.stream.admit(stage.createPublisher());
  stage.play(sink);
  const measured = { fromCapture: false, packagingMs: expect.any(Number) };
  expect(stage.stream.facts().latency).toEqual(measured);
  sink.end({ kind: 'lost', cause: { code: 'closed' } });
  expect(stage.stream.air.kind).toBe('reconnecting');
  expect(stage.stream.facts().latency).toEqual(measured);
  stage.stream.admit(stage.createPublisher());
  expect(stage.stream.facts().latency).toBeUndefined();
  stage.state.now += 60_000;
  stage.stream.tick();
  expect(stage.stream.facts().latency).toBeUndefined();
});

test('a publisher that unpublishes ends the session at once, every segment counted', () => {
  const sink = stage.stream.admit(stage.createPublisher());
  stage.play(sink);
  sink.end({ kind: 'unpublished' });
  expect(stage.stream.air).toEqual({ kind: 'off-air', endedAt: stage.state.now, reason: 'encoder-stopped' });
  expect(stage.playlist()).toEqual(['#EXT-X-MEDIA-SEQUENCE:0', '0.m4s', '1.m4s', '2.m4s', '3.m4s', '#EXT-X-ENDLIST']);
  expect(stage.stream.playback()).toMatchObject({ kind: 'playable', multivariant: 'ended' });
  expect(stage.ledger.filter((entry) => (entry as unknown[])[0] !== 'progress' || (entry as unknown[])[2] !== 0)).toEqual([
    ['begin', 'stream-1', expect.any(Number)],
    ['progress', 'session-1', 1],
    ['progress', 'session-1', 1],
    ['progress', 'session-1', 1],
    ['progress', 'session-1', 1],
    ['end', 'session-1', 'encoder-stopped'],
  ]);
});

test('a lost publisher that is back within the window continues the session after a discontinuity', () => {
  playAndLose();
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

test('a lost publisher that stays away ends the session when the window has passed', () => {
  const sink = stage.stream.admit(stage.createPublisher());
  stage.play(sink);
  sink.end({ kind: 'lost', cause: { code: 'connection-broke', reason: 'ECONNRESET' } });
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
  sink.end({ kind: 'lost', cause: { code: 'no-media', forMs: 10_000 } });
  expect(stage.playlist().at(-1)).toBe('3.m4s');
  expect(stage.state.lastSeen).toBe(lastMediaAt);
});

test('a second publisher takes over at once: the first is closed, the session and the playlist continue', () => {
  const older = stage.createPublisher();
  const olderSink = stage.stream.admit(older);
  stage.play(olderSink);
  const newer = stage.createPublisher();
  const newerSink = stage.stream.admit(newer);
  expect(older.closedWith).toEqual([{ code: 'in-use', by: { address: '127.0.0.1' } }]);
  expect(stage.stream.air.kind).toBe('on-air');
  olderSink.end({ kind: 'lost', cause: { code: 'connection-broke', reason: 'ECONNRESET' } });
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

test('a publisher that was stopped here is refused until it is let in, or has not tried for a minute', () => {
  const publisher = stage.createPublisher();
  stage.play(stage.stream.admit(publisher));
  stage.stream.end({ reason: 'stopped' });
  const since = stage.state.now;
  expect(publisher.closedWith).toEqual([{ code: 'broadcast-ended', reason: 'stopped' }]);
  expect(stage.stream.hold).toEqual({ id: since, since, isForeign: true });
  stage.state.now += 45_000;
  expect(stage.stream.refuses(publisher)).toBe(true);
  stage.state.now += 59_999;
  stage.stream.tick();
  expect(stage.stream.hold).toMatchObject({ since, lastTriedAt: since + 45_000 });
  stage.state.now += 1;
  stage.stream.tick();
  expect(stage.stream.hold).toBeUndefined();
  expect(stage.stream.refuses(publisher)).toBe(false);
});

test.each([
  { who: 'OBS', software: 'FMLE/3.0', isForeign: true },
  { who: 'our own encoder', software: ownSoftware, isForeign: false },
  { who: "another computer's Tallylight", software: ownSoftware, remoteAddress: '192.0.2.7', isForeign: true },
])(
  "whether Stop ended another publisher's session is reported while $who is on air, or the stream waits for it",
  ({ software, remoteAddress = '127.0.0.1', isForeign }) => {
    stage.play(stage.stream.admit({ ...stage.createPublisher(), software, remoteAddress }));
    stage.stream.end({ reason: 'stopped' });
    expect(stage.stream.hold).toMatchObject({ isForeign });
    stage.stream.letIn('all');
    const sink = stage.stream.admit({ ...stage.createPublisher(), software, remoteAddress });
    stage.play(sink);
    sink.end({ kind: 'lost', cause: { code: 'closed' } });
    stage.stream.end({ reason: 'stopped' });
    expect(stage.stream.hold).toMatchObject({ isForeign });
  },
);

test('Stop refuses no encoder if none has connected to the stream', () => {
  stage.stream.end({ reason: 'stopped' });
  expect(stage.stream.hold).toBeUndefined();
  stage.stream.admit({ ...stage.createPublisher(), software: ownSoftware });
  stage.stream.end({ reason: 'stopped' });
  expect(stage.stream.hold).toMatchObject({ isForeign: false });
});

test('Stop is news even if the broadcast has just ended by itself: the key is refused from then on', () => {
  const told: unknown[] = [];
  stage = new LiveStage({ onChange: () => told.push(stage.stream.hold) });
  playAndLose();
  stage.state.now += 60_000;
  stage.stream.tick();
  expect([stage.stream.air.kind, told.at(-1)]).toEqual(['off-air', undefined]);
  stage.stream.end({ reason: 'stopped' });
  const since = stage.state.now;
  expect(told.at(-1)).toEqual({ id: since, since, isForeign: false });
});

test('Stop is Stop even while the stream waits for a publisher, until the owner lets it in', () => {
  const publisher = stage.createPublisher();
  const sink = stage.stream.admit(publisher);
  stage.play(sink);
  sink.end({ kind: 'lost', cause: { code: 'connection-broke', reason: 'ECONNRESET' } });
  stage.stream.end({ reason: 'stopped' });
  expect(stage.stream.refuses(publisher)).toBe(true);
  stage.stream.letIn('all');
  expect(stage.stream.refuses(publisher)).toBe(false);
});

test('a publisher that is back within the window and sends is not disconnected before its first segment is whole', () => {
  playAndLose();
  stage.state.now += 59_500;
  const publisher = stage.createPublisher();
  const back = stage.stream.admit(publisher);
  stage.play(back, halfSegment);
  stage.stream.tick();
  expect(stage.stream.air).toEqual({
    kind: 'reconnecting',
    sessionId: 'session-1',
    back: 'sending',
    since: expect.any(Number),
    lostAt: expect.any(Number),
  });
  stage.play(back, oneSegment.slice(halfSegment.length));
  expect(stage.stream.air).toMatchObject({ kind: 'on-air', sessionId: 'session-1' });
  expect(publisher.closedWith).toEqual([]);
});

test('a publisher that is connected again is back only while it sends', () => {
  playAndLose();
  const again = stage.stream.admit(stage.createPublisher());
  // It may be about to send.
  expect(stage.stream.air).toMatchObject({ kind: 'reconnecting', back: 'sending' });
  stage.state.now += 3_001;
  expect(stage.stream.air).toMatchObject({ kind: 'reconnecting', back: 'connected' });
  stage.play(again, halfSegment);
  expect(stage.stream.air).toMatchObject({ kind: 'reconnecting', back: 'sending' });
  stage.state.now += 3_001;
  expect(stage.stream.air).toMatchObject({ kind: 'reconnecting', back: 'connected' });
});

test('a publisher that follows one that came back and sent nothing is back once it sends', () => {
  playAndLose();
  const silent = stage.stream.admit(stage.createPublisher());
  stage.state.now += 10_000;
  silent.end({ kind: 'lost', cause: { code: 'no-media', forMs: 10_000 } });
  const sending = stage.stream.admit(stage.createPublisher());
  expect(stage.stream.air).toMatchObject({ kind: 'reconnecting', back: 'connected' });
  stage.play(sending, halfSegment);
  expect(stage.stream.air).toMatchObject({ kind: 'reconnecting', back: 'sending' });
  // The next one may be about to send again.
  sending.end({ kind: 'lost', cause: { code: 'connection-broke', reason: 'ECONNRESET' } });
  stage.stream.admit(stage.createPublisher());
  expect(stage.stream.air).toMatchObject({ kind: 'reconnecting', back: 'sending' });
});

test('a publisher that sent nothing came back silent, even after one that sent too little for a segment', () => {
  playAndLose();
  const lose = (tags: typeof oneSegment) => {
    const sink = stage.stream.admit(stage.createPublisher());
    stage.state.now += 1_000;
    stage.play(sink, tags);
    sink.end({ kind: 'lost', cause: { code: 'no-media', forMs: 10_000 } });
  };
  lose(oneSegment.slice(0, 3));
  lose([]);
  stage.stream.admit(stage.createPublisher());
  expect(stage.stream.air).toMatchObject({ kind: 'reconnecting', back: 'connected' });
});

test('a publisher that is back and lost again after the window has passed ends the session', () => {
  playAndLose();
  stage.state.now += 59_500;
  const back = stage.stream.admit(stage.createPublisher());
  stage.state.now += 10_000;
  stage.stream.tick();
  expect(stage.stream.air.kind).toBe('reconnecting');
  back.end({ kind: 'lost', cause: { code: 'no-media', forMs: 10_000 } });
  stage.stream.tick();
  expect(stage.stream.air).toMatchObject({ kind: 'off-air', reason: 'ingest-lost' });
});

test('a publisher whose keyframe comes soon after its sound is never shown as one whose keyframe is awaited', () => {
  const sink = admitAnnounced();
  stage.play(sink, firstOf(soundAlone, 500));
  expect(stage.stream.air).toEqual({ kind: 'connecting', since: expect.any(Number) });
});

test('a publisher that sends no more does not count as one whose keyframe is awaited', () => {
  const sink = admitAnnounced();
  stage.play(sink, secondOfSound);
  stage.state.now += 3_001;
  expect(stage.stream.air).toEqual({ kind: 'connecting', since: expect.any(Number) });
});

test('a stream whose publisher announced video awaits its first keyframe, and an audio-only one awaits none', () => {
  const sink = admitAnnounced();
  expect(stage.stream.air).toEqual({ kind: 'connecting', since: expect.any(Number) });
  stage.play(sink, secondOfSound);
  expect(stage.stream.air).toMatchObject({ kind: 'connecting', awaiting: 'keyframe' });
  stage.play(sink, firstOf(oneSegment, 500));
  expect(stage.stream.air).toEqual({ kind: 'connecting', since: expect.any(Number) });
  const other = new LiveStage();
  const radio = other.stream.admit(other.createPublisher());
  pushTag(radio, encoderMetadata({ audiocodecid: 10 }));
  other.play(radio, secondOfSound);
  expect(other.stream.air).toEqual({ kind: 'connecting', since: expect.any(Number) });
});

test('three seconds without media show in the air state itself', () => {
  const sink = stage.stream.admit(stage.createPublisher());
  stage.play(sink);
  const lastMediaAt = stage.state.now;
  stage.state.now += 3_000;
  expect(stage.stream.air).not.toHaveProperty('silentSince');
  stage.state.now += 1;
  expect(stage.stream.air).toMatchObject({ kind: 'on-air', silentSince: lastMediaAt });
});

test('a session ended through the API leaves the stream usable at once', () => {
  stage.play(stage.stream.admit(stage.createPublisher()));
  stage.stream.end({ reason: 'terminated' });
  expect(stage.stream.air).toMatchObject({ kind: 'off-air', reason: 'terminated' });
  expect(stage.stream.refuses(stage.createPublisher())).toBe(false);
});

test('a publisher that leaves before its first segment leaves no session', () => {
  const sink = stage.stream.admit(stage.createPublisher());
  sink.end({ kind: 'lost', cause: { code: 'no-media', forMs: 10_000 } });
  expect(stage.stream.air).toMatchObject({ kind: 'off-air', reason: 'ingest-lost' });
  expect(stage.ledger).toEqual([]);
  expect(stage.stream.log.lines[0]).toMatchObject({
    severity: 'bad',
    event: { code: 'encoder-lost', when: 'before-on-air', cause: { code: 'no-media', forMs: 10_000 } },
  });
});

test('meters stay after a drop, with their age, until another publisher sends', () => {
  const sink = stage.stream.admit(stage.createPublisher());
  stage.play(sink);
  const live = stage.stream.facts().meters;
  expect(live).toMatchObject({
    measuredAt: stage.state.now,
    width: 160,
    height: 90,
    keyframeIntervalSeconds: 2,
    firstSegmentSeconds: 2.023,
    audioSampleRateHz: 44_100,
  });
  expect(live?.fps).toBeCloseTo(10, 1);
  sink.end({ kind: 'lost', cause: { code: 'connection-broke', reason: 'ECONNRESET' } });
  stage.state.now += 30_000;
  expect(stage.stream.facts().meters).toEqual(live);
  // The next publisher has sent nothing yet.
  stage.stream.admit(stage.createPublisher());
  expect(stage.stream.facts().meters).toEqual(live);
});

test('malformed media is dropped and reported once, and the session continues', () => {
  const sink = stage.stream.admit(stage.createPublisher());
  const broken = { kind: 'video', timestampMs: 100, body: Buffer.from([0x27, 1, 0, 0, 0, 0xff, 0xff]) } as const;
  stage.play(
    sink,
    eightSeconds.flatMap((tag) =>
      tag.kind === 'video' && tag.timestampMs > 0 ? [tag, { ...broken, timestampMs: tag.timestampMs }] : [tag],
    ),
  );
  expect(stage.stream.air.kind).toBe('on-air');
  expect(stage.stream.log.lines.filter(({ severity }) => severity === 'warn').map(({ event }) => event)).toEqual([
    { code: 'media-malformed', fault: 'A video frame has broken NAL unit lengths.' },
  ]);
});

test('a publisher that has not said what it is does not get the name of the one before it', () => {
  const obs = stage.createPublisher();
  const first = stage.stream.admit(obs);
  pushTag(first, encoderMetadata({ encoder: 'obs-output module (libobs version 30.2.3)' }));
  stage.play(first);
  expect(stage.stream.nameOf(obs)).toBe('OBS Studio 30.2.3');
  first.end({ kind: 'lost', cause: { code: 'connection-broke', reason: 'ECONNRESET' } });
  const other = { ...stage.createPublisher(), remoteAddress: '192.0.2.7' };
  const second = stage.stream.admit(other);
  stage.stream.tick();
  stage.stream.facts();
  expect(stage.stream.nameOf(other)).toBeUndefined();
  expect(stage.stream.nameOf(obs)).toBe('OBS Studio 30.2.3');
  second.end({ kind: 'lost', cause: { code: 'no-media', forMs: 10_000 } });
  expect(stage.stream.nameOf(other)).toBeUndefined();
});

test('on air, the publisher that takes over has the rest of the 3 s since the last media; once the signal is lost, it has 3 s', () => {
  const stage = new LiveStage();
  const { stream, state } = stage;
  stage.play(stream.admit(stage.createPublisher()), oneSegment);
  expect([stream.air.kind, stream.signalEndsInMs]).toEqual(['on-air', 3_000]);
  state.now += 2_000;
  const taken = stream.admit(stage.createPublisher());
  expect(stream.signalEndsInMs).toBe(1_000);
  state.now += 1_001;
  expect([stream.air, stream.signalEndsInMs]).toEqual([expect.objectContaining({ silentSince: expect.any(Number) }), -1]);

  const silentSince = stream.air.kind === 'on-air' ? stream.air.silentSince : undefined;
  taken.end({ kind: 'lost', cause: { code: 'no-media', forMs: 10_000 } });
  // Viewers have had nothing since the publisher before it.
  expect(stream.air).toMatchObject({ kind: 'reconnecting', lostAt: silentSince });
  state.now += 5_000;
  stream.admit(stage.createPublisher());
  expect([stream.air, stream.signalEndsInMs]).toEqual([
    expect.objectContaining({ kind: 'reconnecting', back: 'sending' }),
    3_000,
  ]);
});
