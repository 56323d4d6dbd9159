import { EventEmitter } from 'node:events';
import { expect, test, vi } from 'vitest';
import { onEndSignals } from './end-signals.ts';

test.each([
  { stdin: false, stdout: false, calls: 0 },
  { stdin: true, stdout: false, calls: 1 },
  { stdin: false, stdout: true, calls: 1 },
])('SIGHUP ends the process only if input or output is a terminal: $stdin, $stdout', ({ stdin, stdout, calls }) => {
  const end = vi.fn();
  const process = Object.assign(new EventEmitter(), { stdin: { isTTY: stdin }, stdout: { isTTY: stdout } });
  onEndSignals(process as never, end);
  // A signal without a listener would end a real process.
  expect(process.listenerCount('SIGHUP')).toBe(1);
  process.emit('SIGHUP');
  expect(end).toHaveBeenCalledTimes(calls);
  process.emit('SIGTERM');
  process.emit('SIGINT');
  expect(end).toHaveBeenCalledTimes(calls + 2);
});
