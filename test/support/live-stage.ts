import type { FlvTag } from '../../src/service/flv/flv-tag.ts';
import { MediaMemory } from '../../src/service/hls/media-memory.ts';
import { formatMediaPlaylist } from '../../src/service/hls/playlist/media-playlist.ts';
import type { Publisher, PublisherSink } from '../../src/service/ingest/publish-gate.ts';
import { LiveStream } from '../../src/service/session/live-stream.ts';
import type { LiveStreamOptions } from '../../src/service/session/live-stream-options.ts';
import type { LossCause } from '../../src/shared/model/refusal.ts';
import { createPublisher } from './create-publisher.ts';
import { readEightSeconds } from './flv-fixture.ts';
import { idleLadder } from './idle-ladder.ts';
import { pushTag } from './push-tag.ts';

/** Eight seconds of audio and video, with a keyframe every two. */
export const eightSeconds = readEightSeconds();
/** The beginning of it, enough for one segment. */
export const oneSegment = eightSeconds.filter(({ timestampMs }) => timestampMs < 2_500);

export interface TestPublisher extends Publisher {
  closedWith: LossCause[];
}

/** A stream with a manual clock, and a ledger that records its calls. */
export class LiveStage {
  /** `now` is monotonic; `setMs` is how far the wall clock has been set since. */
  readonly state = { now: 1_700_000_000_000, setMs: 0, sessions: 0, lastSeen: 0 };
  readonly ledger: unknown[] = [];
  readonly options: LiveStreamOptions;
  readonly stream: LiveStream;

  constructor({
    next = { nextMediaSequence: 0, nextDiscontinuitySequence: 0, isNew: true },
    ...options
  }: Partial<LiveStreamOptions> & { next?: ReturnType<LiveStreamOptions['ledger']['getNextSequences']> } = {}) {
    this.options = {
      streamId: 'stream-1',
      playbackId: 'abcdefgh12345678',
      clock: { now: () => this.state.now + this.state.setMs, monotonicMs: () => this.state.now },
      reconnectWindowMs: () => 60_000,
      liveWindowSeconds: () => 60,
      partMs: () => 200,
      onChange: () => {},
      profiles: () => [],
      startLadder: () => idleLadder,
      saved: undefined,
      save: () => {},
      archive: undefined,
      memory: new MediaMemory(Number.POSITIVE_INFINITY),
      startAudioMeter: undefined,
      onLadderEvent: () => {},
      ledger: {
        beginSession: (streamId, at) => {
          this.state.sessions += 1;
          this.ledger.push(['begin', streamId, at]);
          return { id: `session-${this.state.sessions}` };
        },
        addProgress: (sessionId, progress) => {
          this.state.lastSeen = Math.max(this.state.lastSeen, progress.lastSeen ?? 0);
          this.ledger.push(['progress', sessionId, progress.sourceSegments ?? 0]);
        },
        endSession: (sessionId, _at, { reason }) => this.ledger.push(['end', sessionId, reason]),
        addLateTranscoded: () => {},
        getNextSequences: () => next,
      },
      ...options,
    };
    this.stream = new LiveStream(this.options);
  }

  createPublisher(): TestPublisher {
    const closedWith: LossCause[] = [];
    const close = (cause: LossCause) => void closedWith.push(cause);
    return { ...createPublisher({ connectedAt: this.state.now, close }), closedWith };
  }

  /** Feeds tags in real time of the stage's clock. */
  play(sink: PublisherSink, tags: readonly FlvTag[] = eightSeconds): void {
    const startMs = this.state.now;
    const first = tags[0]?.timestampMs ?? 0;
    for (const tag of tags) {
      this.state.now = startMs + (tag.timestampMs - first);
      pushTag(sink, tag);
    }
  }

  /** The program date-times of the source's segments. */
  dates(): number[] {
    const playback = this.stream.playback();
    const segments = playback.kind === 'playable' ? playback.renditions[0]?.store.segments : undefined;
    return (segments ?? []).map(({ programDateTimeMs }) => programDateTimeMs);
  }

  /** The source playlist's sequence numbers, discontinuities and segments; or why there is no playlist. */
  playlist(): string[] {
    const playback = this.stream.playback();
    if (playback.kind !== 'playable') return [playback.kind];
    const store = playback.renditions[0]?.store;
    const text = store ? formatMediaPlaylist(store) : '';
    return text
      .split('\n')
      .filter((line) => /^#EXT-X-(MEDIA-SEQUENCE|DISCONTINUITY$|DISCONTINUITY-SEQUENCE:[^0]|ENDLIST)|\.m4s$/.test(line));
  }
}
