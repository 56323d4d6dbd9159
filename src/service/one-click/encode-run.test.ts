import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { createSystemClock } from '../lib/system-clock.ts';
import { runEncode } from './encode-run.ts';

const feed = { format: { fps: 30 }, capturedAt: () => undefined, tap: () => ({ firstFrame: 0, close() {} }) };

const tracks = { video: true, audio: true };

/** Runs a shell command in place of an ffmpeg. */
function run(
  script: string,
  signal: AbortSignal,
  { startWithinMs = 60_000, frozenAfterMs = 5_000 }: { startWithinMs?: number; frozenAfterMs?: number } = {},
) {
  return runEncode(
    {
      ffmpegPath: '/bin/sh',
      args: ['-c', script],
      feed,
      tracks,
      clock: createSystemClock(),
      startWithinMs,
      frozenAfterMs,
      onUnit: () => {},
      onMetadata: () => {},
      onProgress: () => {},
    },
    signal,
  );
}

const forever = new AbortController().signal;
const media = fileURLToPath(new URL('../../../test/fixtures/media/eight-seconds.flv', import.meta.url));

test.skipIf(process.platform === 'win32')(
  'an encode that makes no keyframe in time is killed, and says for how long',
  async () => {
    expect(await run('exec sleep 60', forever, { startWithinMs: 50 })).toMatchObject({
      killedBy: 'SIGKILL',
      hadMedia: false,
      endedFor: { code: 'frozen', forMs: 50 },
    });
  },
);

test.skipIf(process.platform === 'win32')(
  'an encoder that has only announced its tracks has its whole time to start',
  async () => {
    const slow = `head -c 400 '${media}'; sleep 1.5; tail -c +401 '${media}'`;
    expect(await run(slow, forever, { frozenAfterMs: 1_000 })).toMatchObject({
      exitCode: 0,
      hadMedia: true,
      endedFor: undefined,
    });
  },
);

test.skipIf(process.platform === 'win32')(
  'the input of an encode ends when its signal aborts, and it says how it ended',
  async () => {
    const abort = new AbortController();
    const ended = run('cat; echo "the input has ended" >&2; exit 3', abort.signal);
    abort.abort();
    expect(await ended).toMatchObject({ exitCode: 3, stderr: ['the input has ended'] });
  },
);

test.skipIf(process.platform === 'win32')(
  'an encode that puts out nothing any more is killed, and says for how long',
  async () => {
    expect(await run(`head -c 200000 '${media}'; exec sleep 60`, forever, { frozenAfterMs: 50 })).toMatchObject({
      killedBy: 'SIGKILL',
      hadMedia: true,
      endedFor: { code: 'frozen', forMs: 50 },
    });
  },
);

test.skipIf(process.platform === 'win32')('an encode that has not begun yet is not frozen', async () => {
  expect(await run(`sleep 1.2; head -c 200000 '${media}'`, forever, { frozenAfterMs: 1_000 })).toMatchObject({
    exitCode: 0,
    endedFor: undefined,
  });
});

test.skipIf(process.platform === 'win32')('output that is no FLV ends the encode', async () => {
  const end = await run('echo "This is no Flash Video file at all."; cat', forever);
  expect(end).toMatchObject({ hadMedia: false, endedFor: { code: 'unreadable' } });
});

test('an ffmpeg that is not there ends with the reason', async () => {
  const options = { feed, tracks, clock: createSystemClock(), startWithinMs: 60_000 };
  const listener = { onUnit: () => {}, onMetadata: () => {}, onProgress: () => {} };
  const end = await runEncode({ ffmpegPath: '/nowhere/ffmpeg', args: [], ...options, ...listener }, forever);
  expect(end).toMatchObject({ exitCode: null, stderr: ['spawn /nowhere/ffmpeg ENOENT'] });
});
