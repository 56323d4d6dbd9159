import { EventEmitter } from 'node:events';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { crashOnFaults, createProcessEnd, type ProcessEndCause } from './process-end.ts';

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

/** A process end, and its reports, in order. */
function setUp(close: (how: ProcessEndCause) => Promise<void>, report?: () => never) {
  const said: string[] = [];
  const ending = createProcessEnd({
    close,
    report: report ?? ((error, what) => said.push(`${what}: ${(error as Error).message}`)),
    exit: (code, { hasCrashed }) => said.push(`exit ${code}${hasCrashed ? ' after a crash' : ''}`),
  });
  return { ...ending, said };
}

test('closes once and exits with the code of the first call', async () => {
  const close = vi.fn(async () => {});
  const { end, said } = setUp(close);
  end(0);
  end(1);
  await vi.runAllTimersAsync();
  expect(close).toHaveBeenCalledOnce();
  expect(said).toEqual(['exit 0']);
});

test('if a part fails to close, the process exits with 1 and reports the reason once', async () => {
  const { end, said } = setUp(() => Promise.reject(new Error('the store is locked')));
  end(0);
  await vi.runAllTimersAsync();
  expect(said).toEqual(['Tallylight could not close everything.: the store is locked', 'exit 1']);
});

test('a close that throws synchronously ends the process too', async () => {
  const { end, said } = setUp(() => {
    throw new Error('there is nothing to close');
  });
  end(0);
  await vi.runAllTimersAsync();
  expect(said).toEqual(['Tallylight could not close everything.: there is nothing to close', 'exit 1']);
});

test('a part that hangs is abandoned after 4.5 s', async () => {
  const { end, said } = setUp(() => new Promise(() => {}));
  end(0);
  await vi.advanceTimersByTimeAsync(4_499);
  expect(said).toEqual([]);
  await vi.advanceTimersByTimeAsync(1);
  expect(said).toEqual(['Tallylight could not close everything.: Closing took longer than 4.5 s.', 'exit 1']);
});

test('faults that repeat while closing are reported once', async () => {
  const host = new EventEmitter();
  const { end, crash, said } = setUp(() => Promise.reject(new Error('the ingest is gone')));
  crashOnFaults(host as unknown as NodeJS.Process, { crash });
  host.emit('uncaughtException', new Error('a bug'));
  host.emit('unhandledRejection', new Error('a bug'));
  host.emit('uncaughtException', new Error('another'));
  end(0);
  await vi.runAllTimersAsync();
  expect(said).toEqual([
    'Tallylight ended because of an internal error.: a bug',
    'Tallylight could not close everything.: the ingest is gone',
    'exit 1 after a crash',
  ]);
});

test('a fault during a normal close makes the exit code 1', async () => {
  const closing = Promise.withResolvers<void>();
  const { end, crash, said } = setUp(() => closing.promise);
  end(0);
  crash(new Error('a bug'));
  closing.resolve();
  await vi.runAllTimersAsync();
  expect(said).toEqual(['Tallylight ended because of an internal error.: a bug', 'exit 1 after a crash']);
});

test('a log that throws does not keep the process alive', async () => {
  const { crash, said } = setUp(
    async () => {},
    () => {
      throw new Error('the disk is full');
    },
  );
  crash(new Error('a bug'));
  await vi.runAllTimersAsync();
  expect(said).toEqual(['exit 1 after a crash']);
});

test('what is closed hears whether a crash is the cause', async () => {
  const close = vi.fn(async (_: ProcessEndCause) => {});
  setUp(close).end(0);
  setUp(close).crash(new Error('a bug'));
  await vi.runAllTimersAsync();
  expect(close.mock.calls).toEqual([[{ hasCrashed: false }], [{ hasCrashed: true }]]);
});

test('a close that ends after it was abandoned does not exit again', async () => {
  const closing = Promise.withResolvers<void>();
  const { end, said } = setUp(() => closing.promise);
  end(0);
  await vi.runAllTimersAsync();
  closing.resolve();
  await vi.runAllTimersAsync();
  expect(said).toEqual(['Tallylight could not close everything.: Closing took longer than 4.5 s.', 'exit 1']);
});
