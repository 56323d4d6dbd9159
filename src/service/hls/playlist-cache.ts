import type { PlayableRendition } from './playback-directory.ts';
import { formatMediaPlaylist } from './playlist/media-playlist.ts';
import { formatMultivariantPlaylist } from './playlist/multivariant-playlist.ts';
import type { SegmentStore } from './segment-store.ts';
import { SharedText } from './shared-text.ts';
import { describeVariant } from './variant.ts';

/** Renders each playlist once per change, and shares it. What belongs to a store goes with it. */
export class PlaylistCache {
  readonly #media = new WeakMap<SegmentStore, { version: number; text: SharedText }>();
  readonly #multivariant = new WeakMap<SegmentStore, { key: string; text: SharedText }>();

  /** The media playlist of a store with at least one segment. */
  media(store: SegmentStore): SharedText {
    const cached = this.#media.get(store);
    if (cached?.version === store.version) return cached.text;
    const text = new SharedText(formatMediaPlaylist(store));
    this.#media.set(store, { version: store.version, text });
    return text;
  }

  /** The multivariant playlist of renditions that all have segments; there must be one. */
  multivariant(renditions: readonly PlayableRendition[]): SharedText {
    const first = renditions[0];
    if (first === undefined) throw new RangeError('A multivariant playlist needs a rendition.');
    const key = renditions.map(({ name, store }) => `${name} ${store.version}`).join('\n');
    const cached = this.#multivariant.get(first.store);
    if (cached?.key === key) return cached.text;
    const text = new SharedText(
      formatMultivariantPlaylist(
        renditions.map(({ name, store }) => describeVariant(name, store)),
        { independentSegments: renditions.every(({ store }) => store.segments.every(({ independent }) => independent)) },
      ),
    );
    this.#multivariant.set(first.store, { key, text });
    return text;
  }
}
