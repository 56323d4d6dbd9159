import { expect, test, vi } from 'vitest';

const { held, heldAtLeast } = vi.hoisted(() => {
  const held = new Map<number, string>();
  return { held, heldAtLeast: { count: 0 } };
});
vi.mock('electron', () => {
  let last = 0;
  return {
    powerSaveBlocker: {
      start(kind: string) {
        last += 1;
        held.set(last, kind);
        return last;
      },
      stop(id: number) {
        held.delete(id);
        heldAtLeast.count = Math.min(heldAtLeast.count, held.size);
      },
    },
  };
});

// Another file of this worker may have loaded it, with its own Electron.
vi.resetModules();
const { createKeepAwake } = await import('./keep-awake.ts');

test('on air the computer stays awake, and its display while a screen or window is shown, without a moment in which it may sleep', () => {
  const keepAwake = createKeepAwake();
  const set = (isOnAir: boolean, showsDisplay: boolean) => {
    keepAwake.set({ isOnAir, showsDisplay });
    return [...held.values()];
  };
  expect(set(false, false)).toEqual([]);
  expect(set(true, false)).toEqual(['prevent-app-suspension']);
  heldAtLeast.count = 1;
  expect(set(true, true)).toEqual(['prevent-display-sleep']);
  expect(set(true, true)).toEqual(['prevent-display-sleep']);
  expect(set(true, false)).toEqual(['prevent-app-suspension']);
  expect(heldAtLeast.count).toBe(1);
  // A source that is chosen, but not on air.
  expect(set(false, true)).toEqual([]);
  expect(set(true, true)).toEqual(['prevent-display-sleep']);
  keepAwake.close();
  expect([...held.values()]).toEqual([]);
});
