import { EventEmitter } from 'node:events';
import { expect, test, vi } from 'vitest';

const { powerMonitor } = vi.hoisted(() => ({ powerMonitor: {} as EventEmitter }));
Object.assign(powerMonitor, EventEmitter.prototype);
vi.mock('electron', () => ({ powerMonitor }));

// Another file of this worker may have loaded it, with its own Electron.
vi.resetModules();
const { onSleepSignal } = await import('./sleep-signals.ts');

test("Electron's events about sleep are passed on until the undo", () => {
  const heard: string[] = [];
  const off = onSleepSignal((signal) => heard.push(signal));
  for (const event of ['suspend', 'lock-screen', 'resume']) powerMonitor.emit(event);
  off();
  powerMonitor.emit('suspend');
  expect(heard).toEqual(['suspend', 'resume']);
});
