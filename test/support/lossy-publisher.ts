import type { FlvTag } from '../../src/service/flv/flv-tag.ts';
import { type PublishTarget, publishTags } from './publish-tags.ts';
import { shiftTags } from './synthetic-source.ts';
import { findTagRole } from './tag-role.ts';

/** A span of a broadcast in which one of its tracks does not come, in seconds of its media. */
export interface LostTrack {
  kind: 'audio' | 'video';
  fromSeconds: number;
  /** Infinity as long as it is not back. */
  toSeconds: number;
}

/** A publisher over RTMP, in real time, that loses a track when it is told to, and finds it again. */
export interface LossyPublisher extends AsyncDisposable {
  /** What was lost by now, the oldest first. */
  lost: readonly LostTrack[];
  /** From the next whole second on, or this much after it, no frame of the track is sent; its sequence header was. */
  lose(kind: LostTrack['kind'], afterSeconds?: number): void;
  /** From the next whole second on its frames are sent again. */
  find(kind: LostTrack['kind']): void;
  /** Loses the track from the next whole second on, for so long; resolves when it is about to be back. */
  loseFor(kind: LostTrack['kind'], seconds: number): Promise<void>;
  /** Resolves when this much more of the media has come, or would have. */
  goOn(seconds: number): Promise<void>;
  /** Ends the broadcast at the next whole second, and says how many seconds it had. */
  end(): Promise<number>;
}

/** Publishes a source of so many seconds, that begins with a keyframe, again and again. */
export function startLossyPublisher(target: PublishTarget, source: readonly FlvTag[], seconds: number): LossyPublisher {
  const lost: LostTrack[] = [];
  const waiting = new Set<{ untilMs: number; resolve: () => void }>();
  let nowMs = -1;
  let endSeconds = Number.POSITIVE_INFINITY;

  const nextSecond = () => Math.floor(nowMs / 1000) + 1;
  const isLost = ({ kind, timestampMs }: FlvTag) =>
    lost.some((one) => one.kind === kind && timestampMs >= one.fromSeconds * 1000 && timestampMs < one.toSeconds * 1000);
  const goTo = (timeMs: number) => {
    nowMs = Math.max(nowMs, timeMs);
    for (const one of waiting) {
      if (one.untilMs > nowMs || !waiting.delete(one)) continue;
      one.resolve();
    }
  };
  function* choose(): Generator<FlvTag> {
    const isHeader = (tag: FlvTag) => tag.kind === 'script' || findTagRole(tag) === 'sequence-header';
    yield* source.filter(isHeader);
    const media = source.filter((tag) => !isHeader(tag) && tag.timestampMs < seconds * 1000);
    for (let fromMs = 0; ; fromMs += seconds * 1000) {
      for (const tag of shiftTags(media, fromMs)) {
        if (tag.timestampMs >= endSeconds * 1000) return;
        goTo(tag.timestampMs);
        if (!isLost(tag)) yield tag;
      }
    }
  }

  const published = publishTags(target, choose());
  const end = async () => {
    endSeconds = Math.min(endSeconds, nextSecond());
    await published;
    return endSeconds;
  };
  const lose = (kind: LostTrack['kind'], afterSeconds = 0) => {
    lost.push({ kind, fromSeconds: nextSecond() + afterSeconds, toSeconds: Number.POSITIVE_INFINITY });
  };
  const find = (kind: LostTrack['kind']) => {
    const latest = lost.findLast((one) => one.kind === kind);
    if (latest === undefined) throw new Error(`The ${kind} was not lost.`);
    latest.toSeconds = nextSecond();
  };
  const goOn = (more: number) =>
    new Promise<void>((resolve) => {
      waiting.add({ untilMs: nowMs + more * 1000, resolve });
    });
  return {
    lost,
    lose,
    find,
    goOn,
    loseFor: async (kind, forSeconds) => {
      lose(kind);
      await goOn(forSeconds);
      find(kind);
    },
    end,
    [Symbol.asyncDispose]: async () => {
      await end();
    },
  };
}
