import type { SegmentStore } from './segment-store.ts';

/** A rendition as players see it; `source` is the publisher's own media. */
export interface PlayableRendition {
  /** Its folder below the playback id: lowercase letters, digits and hyphens. */
  name: string;
  /** The multivariant playlist offers it from its first segment until it has ended. */
  store: SegmentStore;
}

/** The media that can be played under a playback id. */
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

/** The streams as playback finds them, by playback id. */
export interface PlaybackDirectory {
  find(playbackId: string): Playback;
}
