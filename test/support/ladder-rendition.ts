import type { LadderRendition } from '../../src/service/transcode/ladder-rendition.ts';
import type { Profile } from '../../src/shared/model/profile.ts';

/** A rendition that takes what a ladder makes of it, where `listener` does not, and does nothing with it. */
export function createRendition(profile: Profile, listener: Partial<LadderRendition> = {}): LadderRendition {
  return {
    profile,
    onUnit: () => {},
    onBreak: () => {},
    onRunStart: () => {},
    onRunEnd: () => {},
    onLeave: () => {},
    ...listener,
  };
}
