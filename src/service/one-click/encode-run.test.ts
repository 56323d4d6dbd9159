import { expect, test } from 'vitest';
import { createSystemClock } from '../lib/system-clock.ts';
import { runEncode } from './encode-run.ts';

/** Runs a shell command in place of an ffmpeg. */
function run(script: string, signal: AbortSignal, firstKeyframeWithinMs?: number) {
  return runEncode(
    {
      ffmpegPath: '/bin/sh',
      args: ['-c', script],
      marksCapture: false,
      clock: createSystemClock(),
      firstKeyframeWithinMs,
      onUnit: () => {},
      onMetadata: () => {},
      onProgress: () => {},
    },
    signal,
  );
}

const forever = new AbortController().signal;

test.skipIf(process.platform === 'win32')('an encode that makes no keyframe in time is killed', async () => {
  expect(await run('exec sleep 60', forever, 50)).toMatchObject({
    killedBy: 'SIGKILL',
    hadMedia: false,
    unreadable: undefined,
  });
});

test.skipIf(process.platform === 'win32')(
  'an encode is asked to end when its signal aborts, and says how it ended',
  async () => {
    const abort = new AbortController();
    const ended = run('echo "asked: $(head -c 1)" >&2; exit 3', abort.signal);
    abort.abort();
    expect(await ended).toMatchObject({ exitCode: 3, stderr: ['asked: q'] });
  },
);

test.skipIf(process.platform === 'win32')('output that is no FLV ends the encode', async () => {
  const end = await run('echo "This is no Flash Video file at all."; head -c 1', forever);
  expect(end).toMatchObject({ hadMedia: false, unreadable: { code: 'unreadable' } });
});

test('an ffmpeg that is not there ends with the reason', async () => {
  const options = { marksCapture: false, clock: createSystemClock(), firstKeyframeWithinMs: undefined };
  const listener = { onUnit: () => {}, onMetadata: () => {}, onProgress: () => {} };
  const end = await runEncode({ ffmpegPath: '/nowhere/ffmpeg', args: [], ...options, ...listener }, forever);
  expect(end).toMatchObject({ exitCode: null, stderr: ['spawn /nowhere/ffmpeg ENOENT'] });
});
