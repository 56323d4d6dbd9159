import type { LadderRendition } from '../../src/service/transcode/ladder-rendition.ts';
import type { Profile } from '../../src/shared/model/profile.ts';

/** A rendition that ignores a ladder's output, except for calls that `listener` handles. */
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
