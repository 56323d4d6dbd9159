import type { RenditionView } from '../../shared/model/live.ts';
import { type Profile, sourceRenditionName } from '../../shared/model/profile.ts';
import type { SegmentStore } from '../hls/segment-store.ts';
import type { RenditionState } from '../transcode/rendition-state.ts';
import { measureRendition } from './measure-rendition.ts';

/** One rendition of a session: its profile, its name and its segments. It outlives publishers. */
export class Rendition {
  readonly profile: Profile;
  /** Its folder below the playback id. */
  readonly name: string;
  readonly store: SegmentStore;

  constructor(profile: Profile, name: string, store: SegmentStore) {
    this.profile = profile;
    this.name = name;
    this.store = store;
  }

  /** The rendition as screens and the public interface show it; `pace` is the source's. */
  view(state: RenditionState, pace: number): RenditionView {
    return {
      asked: this.profile,
      state,
      ...(this.store.offered && { name: this.name }),
      ...measureRendition(this.store, pace),
    };
  }
}

/**
 * The renditions of these profiles, in their order. A rendition has its profile's name if that can be a folder name, else its
 * number.
 */
export function createRenditions(profiles: readonly Profile[], createStore: () => SegmentStore): Rendition[] {
  const names = new Set<string>([sourceRenditionName]);
  return profiles.map((profile, index) => {
    const plain = profile.name
      .toLowerCase()
      .replaceAll(/[^a-z0-9]+/g, '-')
      .replaceAll(/^-+|-+$/g, '')
      .slice(0, 40);
    let name = plain === '' || names.has(plain) ? `rendition-${index + 1}` : plain;
    while (names.has(name)) name = `${name}-other`;
    names.add(name);
    return new Rendition(profile, name, createStore());
  });
}
