import { expect, onTestFinished, test } from 'vitest';
import { startCountedServer } from '../../../test/support/counted-server.ts';
import { followPlayback, type RegionPlayback } from './region-playback.ts';

const multivariantOf = (mediaUrl: string) => `#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=1\n${mediaUrl}\n`;
const media = (segment: number, ...more: string[]) =>
  ['#EXTM3U', '#EXT-X-TARGETDURATION:2', '#EXTINF:2,', `${segment}.m4s`, ...more, ''].join('\n');

/** Follows the playback of a server with the test's own playlist, whose clock the test sets. */
async function startFollowing({ mediaUrl = 'source/index.m3u8', staysAtOrigin = false } = {}) {
  let playlist: string | undefined;
  let atMs = 0;
  const server = await startCountedServer(({ url, socket }, response) => {
    if (playlist === undefined) socket.destroy();
    else if (playlist === '') response.writeHead(404).end();
    else response.end(url === '/hls/abc/index.m3u8' ? multivariantOf(mediaUrl) : playlist);
  });
  const ending = new AbortController();
  const changes: RegionPlayback[] = [];
  const following = followPlayback(() => `http://127.0.0.1:${server.port}/hls/abc/index.m3u8`, {
    clock: { monotonicMs: () => atMs },
    signal: ending.signal,
    onChange: (playback) => changes.push(playback),
    pausesMs: { moving: 5, otherwise: 5 },
    staysAtOrigin,
  });
  const stop = async () => {
    ending.abort();
    await following;
  };
  onTestFinished(async () => {
    await stop();
    await server[Symbol.asyncDispose]();
  });
  return {
    changes,
    stop,
    /** Changes the playlist and the time, and waits until both have been read. */
    async answer(next: string | undefined, nextMs = atMs) {
      [playlist, atMs] = [next, nextMs];
      // Two playlists are read each time, and one reading may have begun before.
      await server.untilAskedAgain(4);
    },
  };
}

const moving = { kind: 'moving' };

test('a stream can be played once its media playlist is there and keeps changing; an ended playlist does not count', async () => {
  const { answer, changes, stop } = await startFollowing();
  await answer(undefined);
  await answer('');
  await answer('#EXTM3U\n#EXT-X-TARGETDURATION:2\n');
  await answer(media(1, '#EXT-X-ENDLIST'), 60_000);
  expect(changes).toEqual([]);
  await answer(media(2));
  expect(changes).toEqual([moving]);
  await stop();
});

test('a playlist that was there before it was asked for is not news until it changes', async () => {
  const { answer, changes } = await startFollowing();
  await answer(undefined);
  await answer(media(1));
  await answer(media(1), 60_000);
  expect(changes).toEqual([]);
  await answer(media(2), 61_000);
  expect(changes).toEqual([moving]);
});

test.each([
  ['stopped', 'stays as it is', media(2)],
  ['stopped', 'is gone', ''],
  ['stopped', 'has ended', media(2, '#EXT-X-ENDLIST')],
  ['unseen', "can't be reached", undefined],
  ['unseen', 'is too large to be read', media(3).padEnd(4 * 1024 * 1024 + 1, '#\n')],
])('playback is %s if its playlist %s for 10 s, until it changes again', async (kind, _, later) => {
  const { answer, changes } = await startFollowing();
  await answer(media(1));
  await answer(media(2), 4_000);
  await answer(later, 13_999);
  expect(changes).toEqual([moving]);
  await answer(later, 14_000);
  expect(changes).toEqual([moving, { kind, sinceMs: 4_000 }]);
  await answer(later, 90_000);
  await answer(media(4));
  expect(changes).toEqual([moving, { kind, sinceMs: 4_000 }, moving]);
});

test("playback that has stopped is unseen once its playlist can't be reached either, and stopped again once it is gone", async () => {
  const { answer, changes } = await startFollowing();
  await answer('');
  await answer(media(1));
  await answer(media(1), 10_000);
  await answer(undefined, 19_000);
  expect(changes).toEqual([moving, { kind: 'stopped', sinceMs: 0 }]);
  await answer(undefined, 20_000);
  await answer('', 21_000);
  expect(changes.slice(2)).toEqual([
    { kind: 'unseen', sinceMs: 10_000 },
    { kind: 'stopped', sinceMs: 0 },
  ]);
});

test('a playlist of long segments has more time', async () => {
  const { answer, changes } = await startFollowing();
  await answer('');
  const long = media(1).replace('DURATION:2', 'DURATION:10');
  await answer(long);
  await answer(long, 19_999);
  expect(changes).toEqual([moving]);
  await answer(long, 20_000);
  expect(changes).toEqual([moving, { kind: 'stopped', sinceMs: 0 }]);
});

test.each([
  ['at its origin', '/hls/abc/source.m3u8', true, [moving]],
  ['elsewhere', undefined, true, []],
  ['elsewhere, from who is trusted', undefined, false, [moving]],
])('a media playlist %s is asked for or not', async (_, path, staysAtOrigin, seen) => {
  const other = await startCountedServer((_request, response) => void response.end(media(other.asked)));
  onTestFinished(() => other[Symbol.asyncDispose]());
  const mediaUrl = path ?? `http://127.0.0.1:${other.port}/s.m3u8`;
  const { answer, changes } = await startFollowing({ mediaUrl, staysAtOrigin });
  await answer('');
  await answer(media(1));
  await answer(media(2));
  expect(changes).toEqual(seen);
  expect(other.asked > 0).toBe(!staysAtOrigin);
});
