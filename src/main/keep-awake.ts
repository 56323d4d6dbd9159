import { powerSaveBlocker } from 'electron';

/** The reasons to keep the computer awake. */
interface AwakeReasons {
  /** A stream is on air. */
  isOnAir: boolean;
  /** A broadcast shows a screen or a window. */
  showsDisplay: boolean;
}

/**
 * Keeps the computer from sleeping while streams are on air. Its display may still turn off, unless viewers see a screen or a window:
 * macOS and Windows draw nothing for a display that is off, and viewers would get black.
 */
export interface KeepAwake {
  /** Call it whenever the reasons may have changed. */
  set(reasons: AwakeReasons): void;
  close(): void;
}

type BlockerKind = Parameters<typeof powerSaveBlocker.start>[0];

/** A {@link KeepAwake} that initially lets the computer sleep. */
export function createKeepAwake(): KeepAwake {
  let blocker: { id: number; kind: BlockerKind } | undefined;
  const hold = (kind: BlockerKind | undefined) => {
    if (kind === blocker?.kind) return;
    const before = blocker;
    blocker = kind && { id: powerSaveBlocker.start(kind), kind };
    // Stopped last, so that the computer can't fall asleep in between.
    if (before !== undefined) powerSaveBlocker.stop(before.id);
  };
  return {
    set({ isOnAir, showsDisplay }) {
      if (!isOnAir) return hold(undefined);
      hold(showsDisplay ? 'prevent-display-sleep' : 'prevent-app-suspension');
    },
    close: () => hold(undefined),
  };
}
