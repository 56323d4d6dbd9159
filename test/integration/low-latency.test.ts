import { setImmediate as nextTurn } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import type { FlvTag } from '../../src/service/flv/flv-tag.ts';
import { feedInRealTime } from '../support/feed-in-real-time.ts';
import { encodeFlv } from '../support/ffmpeg.ts';
import { startPlaybackStand } from '../support/playback-stand.ts';
import { findBrokenRules, readPlaylist } from '../support/read-playlist.ts';

const encode = (seconds: number, fps: string, extra: readonly string[]) =>
  encodeFlv([
    ...['-f', 'lavfi', '-i', `testsrc2=size=320x180:rate=${fps}:duration=${seconds}`],
    ...['-f', 'lavfi', '-i', `sine=sample_rate=48000:duration=${seconds}`],
    ...['-c:v', 'libx264', '-preset', 'ultrafast', '-pix_fmt', 'yuv420p', ...extra],
    ...['-c:a', 'aac', '-b:a', '96k'],
  ]);

/** The rules do not depend on it: parts come each 100 ms instead of 200. */
const speed = 2;

/** Restores what a delta update leaves out from the previous playlist (rfc8216bis §6.3.7). */
function applyDelta(delta: string, before: string): string {
  const skipped = Number(/^#EXT-X-SKIP:SKIPPED-SEGMENTS=(\d+)\n/m.exec(delta)?.[1] ?? 0);
  if (skipped === 0) return delta;
  const shift = readPlaylist(delta).mediaSequence - readPlaylist(before).mediaSequence;
  const blocks = [
    ...before.matchAll(/^(?:#EXT-X-(?:DISCONTINUITY|MAP:.*|PROGRAM-DATE-TIME:.*|PART:.*|GAP)\n)*#EXTINF:.*\n.*\n/gm),
  ];
  const kept = blocks.slice(shift, shift + skipped).map(([block]) => block.replace(/^#EXT-X-(?:PART|MAP):.*\n/gm, ''));
  const map = /^#EXT-X-MAP:.*\n/m.exec(delta)?.[0] ?? '';
  return delta.replace(map, '').replace(/^#EXT-X-SKIP:.*\n/m, map + kept.join(''));
}

const fetchText = async (url: string) => (await fetch(url)).text();

describe.concurrent('a low-latency broadcast keeps the rules of the standard from the first playlist to the last, with', () => {
  it.each([
    ['29.97 fps and a GOP of 1 s', '30000/1001', ['-g', '30'], 1],
    ['B-frames, 25 fps and a GOP of 2 s', '25', ['-bf', '2', '-g', '50', '-sc_threshold', '0'], 2],
  ] as const)('%s', async (_name, fps, extra, targetSegmentSeconds) => {
    await using stand = await startPlaybackStand();
    // Of eight complete segments and the open one, a delta update leaves out at least one.
    const tags = await encode(targetSegmentSeconds * 9, fps, extra);
    const born = new Set<string>();
    stand.store.onChange(() => {
      const { open } = stand.store;
      if (open && open.parts.length > 0) born.add(`${open.msn}-${open.parts.length - 1}.m4s`);
    });
    const firstSegment = new Promise<void>((resolve) => {
      const stop = stand.store.onChange(() => {
        if (stand.store.segments.length === 0) return;
        stop();
        resolve();
      });
    });
    const packager = stand.createPackager({ targetSegmentSeconds });
    /** What has come while the test holds media back. */
    let held: { tags: FlvTag[]; over: PromiseWithResolvers<void> } | undefined;
    const letGo = async () => {
      // As it would have come: what is asked for is sent before it is gone again.
      for (let tag = held?.tags.shift(); tag; tag = held?.tags.shift()) {
        packager.push(tag);
        await nextTurn();
      }
      held?.over.resolve();
      held = undefined;
    };
    const push = (tag: FlvTag) => void (held ? held.tags.push(tag) : packager.push(tag));
    const untilLetGo = async () => {
      while (held) await held.over.promise;
    };
    let asked = 0;
    const readMedia = (query = '') => {
      asked += 1;
      return fetchText(stand.mediaUrl + query);
    };
    const feed = async () => {
      await feedInRealTime({ push, end() {} }, tags, 0, speed);
      await untilLetGo();
      // Nothing changes before the end: this delta update is compared however busy the computer is.
      const before = await readMedia();
      const delta = await readMedia('?_HLS_skip=YES');
      expect(delta).toContain('#EXT-X-SKIP:');
      expect(applyDelta(delta, before)).toBe(before);
      await untilLetGo();
      packager.end();
      stand.end();
    };
    const fed = feed();
    await firstSegment;

    let playlist = readPlaylist(await readMedia());
    let waited = 0;
    for (let round = 1; ; round += 1) {
      // The next part comes once it has been asked for, however busy the computer is.
      held = { tags: [], over: Promise.withResolvers() };
      playlist = readPlaylist(await readMedia());
      if (playlist.ended) break;
      expect(findBrokenRules(playlist)).toEqual([]);
      const [, msn, part] = /^(\d+)-(\d+)\.m4s$/.exec(playlist.hint ?? '') ?? [];
      const query = `?_HLS_msn=${msn}&_HLS_part=${part}`;
      const early = fetch(new URL(playlist.hint ?? '', stand.mediaUrl));
      const asking = readMedia(query);
      await Promise.all([stand.sourceAsked('playlist', asked), stand.sourceAsked('media', round)]);
      await nextTurn();
      expect(born.has(playlist.hint ?? '')).toBe(false);
      await letGo();
      const next = await asking;
      const isBorn = born.has(playlist.hint ?? '');
      if (isBorn) waited += 1;
      const delta = await readMedia(`${query}&_HLS_skip=YES`);
      const whole = await readMedia();
      // Media may have arrived between the two: then they are not compared.
      if (whole === next) expect(applyDelta(delta, next)).toBe(whole);
      const hinted = await early;
      await hinted.arrayBuffer();
      expect([200, 404, 503]).toContain(hinted.status);
      if (isBorn) expect(hinted.status).toBe(200);
      const after = readPlaylist(next);
      expect(after.mediaSequence).toBeGreaterThanOrEqual(playlist.mediaSequence);
      playlist = after;
    }
    await fed;
    expect(findBrokenRules(playlist)).toEqual([]);
    expect(playlist.segments).toHaveLength(stand.store.segments.length);
    // Parts were requested before they existed, and arrived: most of them, but few on a busy computer.
    expect(waited).toBeGreaterThanOrEqual(3);
  });
});
