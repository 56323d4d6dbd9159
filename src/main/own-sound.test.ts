import { expect, test, vi } from 'vitest';

const { switches } = vi.hoisted(() => ({ switches: new Map<string, string>() }));
vi.mock('electron', () => ({
  app: {
    commandLine: {
      // As in Electron, the last value of a switch counts, and a switch that wasn't given is empty.
      appendSwitch: (name: string, value: string) => switches.set(name, value),
      getSwitchValue: (name: string) => switches.get(name) ?? '',
    },
  },
}));
// Another file of this worker may have loaded it, with its own Electron.
vi.resetModules();
const { leaveOutOwnSound } = await import('./own-sound.ts');

test.each([
  [undefined, 'RestrictOwnAudioAddChromiumBack'],
  ['Vulkan', 'Vulkan,RestrictOwnAudioAddChromiumBack'],
])('the sound of our own pages stays out, and what the command line turns off stays off: %s', (given, expected) => {
  switches.clear();
  if (given !== undefined) switches.set('disable-features', given);
  leaveOutOwnSound();
  expect([...switches]).toEqual([['disable-features', expected]]);
});
