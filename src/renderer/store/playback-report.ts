/** What the monitor measures of the picture it plays; absent is unknown. */
export interface PlaybackFacts {
  /** From capture, or else from arrival, to this screen (EXT-X-PROGRAM-DATE-TIME, rfc8216bis §4.4.4.6). */
  latencySeconds?: number;
  /** How often the picture stood still since the monitor opened on this broadcast, and for how long in all. */
  stalls?: number;
  stalledSeconds?: number;
  /** The same of the last minute. */
  recentStalls?: number;
  recentStalledSeconds?: number;
}

/** Where the monitor says what it sees, and the screen around it reads that. */
export interface PlaybackReport {
  get(): PlaybackFacts;
  set(facts: PlaybackFacts): void;
  subscribe(listener: () => void): () => void;
}

const nothing: PlaybackFacts = {};

/** A report that knows nothing yet. */
export function createPlaybackReport(): PlaybackReport {
  const listeners = new Set<() => void>();
  let facts = nothing;
  return {
    get: () => facts,
    set(next) {
      if (areSame(next, facts)) return;
      facts = next;
      for (const listener of [...listeners]) listener();
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

const keys = ['latencySeconds', 'stalls', 'stalledSeconds', 'recentStalls', 'recentStalledSeconds'] as const;

function areSame(one: PlaybackFacts, other: PlaybackFacts): boolean {
  return keys.every((key) => one[key] === other[key]);
}
