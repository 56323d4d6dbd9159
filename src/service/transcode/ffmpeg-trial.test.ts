import { expect, test } from 'vitest';
import { runTrial, wasKilled } from './ffmpeg-trial.ts';

test.skipIf(process.platform === 'win32')(
  'a trial that is aborted ends, even if a script has started the ffmpeg that hangs',
  async () => {
    const abort = new AbortController();
    const trial = runTrial('/bin/sh', ['-c', 'sh -c "while echo; do sleep 0.1; done"; exit'], {
      timeoutMs: 60_000,
      signal: abort.signal,
    });
    abort.abort();
    const { error } = await trial;
    expect(wasKilled(error)).toBe(true);
  },
);
