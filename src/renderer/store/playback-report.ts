import { createListeners } from '../../shared/listeners.ts';
import { hasSameContent } from '../../shared/same-content.ts';

/** What the monitor measures about the picture it plays; absent means unknown. */
export interface PlaybackFacts {
  /** From capture, or else arrival, to this screen (EXT-X-PROGRAM-DATE-TIME, rfc8216bis §4.4.4.6). */
  latencySeconds?: number;
  /** Stalls of this broadcast that this page has seen, and their total duration. */
  stalls?: number;
  stalledSeconds?: number;
  /** The same over the last minute. */
  recentStalls?: number;
  recentStalledSeconds?: number;
}

/** The monitor writes its measurements here, and the surrounding screen reads them. */
export interface PlaybackReport {
  get(): PlaybackFacts;
  set(facts: PlaybackFacts): void;
  subscribe(listener: () => void): () => void;
}

const nothing: PlaybackFacts = {};

/** An empty report. */
export function createPlaybackReport(): PlaybackReport {
  const listeners = createListeners();
  let facts = nothing;
  return {
    get: () => facts,
    set(next) {
      if (hasSameContent(next, facts)) return;
      facts = next;
      listeners.emit();
    },
    subscribe: listeners.on,
  };
}
