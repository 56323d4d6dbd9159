import { powerSaveBlocker } from 'electron';

/** Keeps the computer from sleeping while streams are on air; its display may still turn off. */
export interface KeepAwake {
  /** Call it when the first stream is on air, and when none is any longer. */
  set(isOnAir: boolean): void;
  close(): void;
}

/** A {@link KeepAwake} that initially lets the computer sleep. */
export function createKeepAwake(): KeepAwake {
  let blocker: number | undefined;
  const set = (isOnAir: boolean) => {
    if (isOnAir === (blocker !== undefined)) return;
    if (blocker === undefined) {
      blocker = powerSaveBlocker.start('prevent-app-suspension');
    } else {
      powerSaveBlocker.stop(blocker);
      blocker = undefined;
    }
  };
  return { set, close: () => set(false) };
}
