import type { SegmentStore } from './segment-store.ts';

/** A rendition as players see it; `source` is what the publisher sends. */
export interface PlayableRendition {
  /** Its folder below the playback id: lowercase letters, digits and hyphens. */
  name: string;
  /** The multivariant playlist offers it from its first segment until it has ended. */
  store: SegmentStore;
}

/** What there is to play under a playback id. */
export type Playback =
  | { kind: 'unknown' }
  /** The stream exists, and has nothing to play. */
  | { kind: 'off-air' }
  | {
      kind: 'playable';
      /** The source first. */
      renditions: readonly PlayableRendition[];
      /**
       * `ended`: the session is over. Only players that have its media playlists may finish them (`SegmentStore.staysSeconds`); the
       * multivariant playlist is off air at once.
       */
      multivariant: 'on-air' | 'ended';
    };

/** Where playback finds streams: the public side of them, by playback id. */
export interface PlaybackDirectory {
  find(playbackId: string): Playback;
}
