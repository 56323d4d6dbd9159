import type { PlayableRendition } from './playback-directory.ts';
import { formatMediaPlaylist, type RenditionReport } from './playlist/media-playlist.ts';
import { formatMultivariantPlaylist } from './playlist/multivariant-playlist.ts';
import type { SegmentStore } from './segment-store.ts';
import { SharedText } from './shared-text.ts';
import { findStartOffset } from './start-offset.ts';
import { describeVariant } from './variant.ts';

interface CachedMedia {
  version: number;
  whole?: SharedText;
  delta?: SharedText;
}

/** Renders each playlist once per change, and shares it. A store's playlists are freed with it. */
export class PlaylistCache {
  readonly #media = new WeakMap<SegmentStore, CachedMedia>();
  readonly #multivariant = new WeakMap<SegmentStore, { key: string; text: SharedText }>();

  /**
   * The media playlist of a rendition with at least one segment, whole or as a delta update. Its reports of the other `renditions`
   * are as new as itself.
   */
  media(rendition: PlayableRendition, renditions: readonly PlayableRendition[], delta = false): SharedText {
    const { store } = rendition;
    let cached = this.#media.get(store);
    if (cached?.version !== store.version) {
      cached = { version: store.version };
      this.#media.set(store, cached);
    }
    const kind = delta ? 'delta' : 'whole';
    cached[kind] ??= new SharedText(formatMediaPlaylist(store, { reports: reportOthers(rendition, renditions), delta }));
    return cached[kind];
  }

  /** The multivariant playlist of renditions that all have segments; there must be one. */
  multivariant(renditions: readonly PlayableRendition[]): SharedText {
    const first = renditions[0];
    if (first === undefined) throw new RangeError('A multivariant playlist needs a rendition.');
    // One more part changes nothing in it but the start offset.
    const startOffset = findStartOffset(first.store);
    const key = renditions
      .map(({ name, store }) => `${name} ${store.segments[0]?.msn} ${store.segments.at(-1)?.msn}`)
      .concat(String(startOffset))
      .join('\n');
    const cached = this.#multivariant.get(first.store);
    if (cached?.key === key) return cached.text;
    const text = new SharedText(
      formatMultivariantPlaylist(
        renditions.map(({ name, store }) => describeVariant(name, store)),
        startOffset,
      ),
    );
    this.#multivariant.set(first.store, { key, text });
    return text;
  }
}

function reportOthers(rendition: PlayableRendition, renditions: readonly PlayableRendition[]): RenditionReport[] {
  return renditions
    .filter(({ name, store }) => name !== rendition.name && store.offered)
    .map(({ name, store }) => {
      const newest = store.open && store.open.parts.length > 0 ? store.open : store.segments.at(-1);
      const lastPart = (newest?.parts.length ?? 0) - 1;
      return { uri: `../${name}/index.m3u8`, lastMsn: newest?.msn ?? 0, lastPart: lastPart < 0 ? undefined : lastPart };
    });
}
