import { type ChildProcess, spawn } from 'node:child_process';
import { EventEmitter, once } from 'node:events';
import { afterEach, expect, test, vi } from 'vitest';
import { endWithin } from './end-within.ts';

afterEach(() => {
  vi.useRealTimers();
});

/** A running host that takes every signal without a word. */
function createHost() {
  const kill = vi.fn();
  const host = Object.assign(new EventEmitter(), { pid: 4_321, exitCode: null, signalCode: null, connected: false, kill });
  return { host: host as unknown as ChildProcess, kill };
}

test.each([
  ['linux', [['SIGTERM']]],
  // SIGTERM would kill it outright, and it has already got the console's Ctrl-C.
  ['win32', []],
] as const)('on %s a host without a channel is sent %j, and is killed if it is still there after 4.7 s', (platform, asked) => {
  vi.useFakeTimers();
  const { host, kill } = createHost();
  endWithin(host, platform);
  vi.advanceTimersByTime(4_699);
  expect(kill.mock.calls).toEqual(asked);
  vi.advanceTimersByTime(1);
  expect(kill.mock.calls).toEqual([...asked, ['SIGKILL']]);
});

test('a host that ends in time is not killed', () => {
  vi.useFakeTimers();
  const { host, kill } = createHost();
  endWithin(host, 'win32');
  host.emit('exit', 0, null);
  vi.runAllTimers();
  expect(kill).not.toHaveBeenCalled();
});

test('on Windows a host with a channel ends in order when that closes', async () => {
  const script = "process.on('disconnect', () => process.exit(7)); process.send('runs')";
  const child = spawn(process.execPath, ['-e', script], { stdio: ['ignore', 'ignore', 'ignore', 'ipc'] });
  const exited = once(child, 'exit');
  await once(child, 'message');
  endWithin(child, 'win32');
  expect(await exited).toEqual([7, null]);
});
