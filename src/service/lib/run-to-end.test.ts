import { expect, test } from 'vitest';
import { surviveKill } from '../../../test/support/survive-kill.ts';
import { runToEnd, wasKilled } from './run-to-end.ts';

test.skipIf(process.platform === 'win32')(
  'a run that is aborted ends, even if a script has started the program that hangs',
  async () => {
    const abort = new AbortController();
    const run = runToEnd('/bin/sh', ['-c', 'sh -c "while echo; do sleep 0.1; done"; exit'], {
      timeoutMs: 60_000,
      signal: abort.signal,
    });
    abort.abort();
    const { error } = await run;
    expect(wasKilled(error)).toBe(true);
  },
);

test.skipIf(process.platform === 'win32')('a program that its kill does not end is waited for no longer than 2 s', async () => {
  surviveKill();
  const { error } = await runToEnd('/bin/sleep', ['60'], { timeoutMs: 50 });
  expect([error?.message, wasKilled(error)]).toEqual(['sleep was still running 2 s after it was killed.', true]);
});

test.skipIf(process.platform === 'win32')(
  'an argument that no program can take is refused, and nothing is left to end',
  async () => {
    await expect(runToEnd('/bin/true', ['a\0b'], { timeoutMs: 0 })).rejects.toThrow('null bytes');
    expect(await runToEnd('/bin/true', [], { timeoutMs: 60_000 })).toMatchObject({ error: null });
  },
);
