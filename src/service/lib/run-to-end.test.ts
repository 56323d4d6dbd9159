import { expect, test } from 'vitest';
import { surviveKill } from '../../../test/support/survive-kill.ts';
import { isConclusive, runToEnd, wasKilled } from './run-to-end.ts';

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

test.skipIf(process.platform === 'win32')(
  'a program that the system refuses to start ends like one that is absent, whichever way Node tells it',
  async () => {
    const run = async (path: string) => {
      const { error, ...output } = await runToEnd(path, [], { timeoutMs: 0 });
      return { code: error && 'code' in error && error.code, conclusive: isConclusive(error), ...output };
    };
    const nothing = { stdout: Buffer.alloc(0), stderr: Buffer.alloc(0), conclusive: false };
    expect(await run('/nowhere/program')).toEqual({ code: 'ENOENT', ...nothing });
    expect(await run('/dev/null/program')).toEqual({ code: 'ENOTDIR', ...nothing });
  },
);
