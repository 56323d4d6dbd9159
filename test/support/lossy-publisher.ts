import type { FlvTag } from '../../src/service/flv/flv-tag.ts';
import { type PublishTarget, publishTags } from './publish-tags.ts';
import { shiftTags } from './synthetic-source.ts';
import { findTagRole } from './tag-role.ts';

/** A span of a broadcast in which one of its tracks is missing, in seconds of its media. */
export interface LostTrack {
  kind: 'audio' | 'video';
  fromSeconds: number;
  /** Infinity while it is not back. */
  toSeconds: number;
}

/** A real-time RTMP publisher that drops and restores a track on demand. */
export interface LossyPublisher extends AsyncDisposable {
  /** The losses so far, oldest first. */
  lost: readonly LostTrack[];
  /** From the next whole second (or this much after it) on, sends no frame of the track; its sequence header was sent. */
  lose(kind: LostTrack['kind'], afterSeconds?: number): void;
  /** Sends its frames again from the next whole second on. */
  find(kind: LostTrack['kind']): void;
  /** Drops the track from the next whole second on, for this long; resolves just before it is back. */
  loseFor(kind: LostTrack['kind'], seconds: number): Promise<void>;
  /** Resolves when this much more of the media has been sent, or would have been. */
  goOn(seconds: number): Promise<void>;
  /** Ends the broadcast at the next whole second, and returns its length in seconds. */
  end(): Promise<number>;
}

/** Publishes a source of this many seconds, which begins with a keyframe, in a loop. */
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
    const isHeader = (tag: FlvTag) => findTagRole(tag) === 'config';
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
