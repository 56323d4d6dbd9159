import { describe, expect, it } from 'vitest';
import { formatMediaPlaylist, type PlaylistPart, type PlaylistSegment } from './media-playlist.ts';

const at = Date.UTC(2030, 0, 1, 12);

function segments(count: number, changes: Readonly<Record<number, Partial<PlaylistSegment>>> = {}): PlaylistSegment[] {
  return Array.from({ length: count }, (_, index) => ({
    msn: 41 + index,
    durationSeconds: 2.002,
    programDateTimeMs: at + index * 2002,
    discontinuity: false,
    discontinuitySequence: 3,
    init: { id: 'a1' },
    parts: [],
    ...changes[index],
  }));
}

describe('formatMediaPlaylist', () => {
  it('is a live playlist: every segment with its wall clock', () => {
    expect(formatMediaPlaylist({ segments: segments(2), targetDurationSeconds: 2, ended: false })).toBe(`#EXTM3U
#EXT-X-VERSION:9
#EXT-X-TARGETDURATION:2
#EXT-X-SERVER-CONTROL:CAN-BLOCK-RELOAD=YES,CAN-SKIP-UNTIL=12,HOLD-BACK=6
#EXT-X-MEDIA-SEQUENCE:41
#EXT-X-DISCONTINUITY-SEQUENCE:3
#EXT-X-MAP:URI="init-a1.mp4"
#EXT-X-PROGRAM-DATE-TIME:2030-01-01T12:00:00.000Z
#EXTINF:2.00200,
41.m4s
#EXT-X-PROGRAM-DATE-TIME:2030-01-01T12:00:02.002Z
#EXTINF:2.00200,
42.m4s
`);
  });

  it('marks discontinuities, changes the init segment, and ends', () => {
    const changes = {
      0: { discontinuity: true },
      1: { discontinuity: true, discontinuitySequence: 4, init: { id: 'b2' }, durationSeconds: 10 },
      2: { discontinuity: true, discontinuitySequence: 5, init: { id: 'b2' } },
    };
    expect(formatMediaPlaylist({ segments: segments(3, changes), targetDurationSeconds: 10, ended: true })).toBe(`#EXTM3U
#EXT-X-VERSION:9
#EXT-X-TARGETDURATION:10
#EXT-X-SERVER-CONTROL:CAN-BLOCK-RELOAD=YES,CAN-SKIP-UNTIL=60,HOLD-BACK=30
#EXT-X-MEDIA-SEQUENCE:41
#EXT-X-DISCONTINUITY-SEQUENCE:2
#EXT-X-DISCONTINUITY
#EXT-X-MAP:URI="init-a1.mp4"
#EXT-X-PROGRAM-DATE-TIME:2030-01-01T12:00:00.000Z
#EXTINF:2.00200,
41.m4s
#EXT-X-DISCONTINUITY
#EXT-X-MAP:URI="init-b2.mp4"
#EXT-X-PROGRAM-DATE-TIME:2030-01-01T12:00:02.002Z
#EXTINF:10.00000,
42.m4s
#EXT-X-DISCONTINUITY
#EXT-X-PROGRAM-DATE-TIME:2030-01-01T12:00:04.004Z
#EXTINF:2.00200,
43.m4s
#EXT-X-ENDLIST
`);
  });

  it('keeps the discontinuity sequence where the discontinuity itself leaves the playlist', () => {
    const all = segments(3, { 1: { discontinuity: true, discontinuitySequence: 4 }, 2: { discontinuitySequence: 4 } });
    const sequence = (from: number) =>
      /DISCONTINUITY-SEQUENCE:(\d+)/.exec(
        formatMediaPlaylist({ segments: all.slice(from), targetDurationSeconds: 2, ended: false }),
      )?.[1];
    expect([sequence(0), sequence(1), sequence(2)]).toEqual(['3', '3', '4']);
  });

  it('has no parts when it has ended', () => {
    const ended = { segments: segments(2), targetDurationSeconds: 2, ended: true };
    const parts = [{ durationSeconds: 2, independent: true }];
    const withParts = { ...ended, segments: segments(2, { 1: { parts } }), partTargetSeconds: 2, partSegments: 1 };
    expect(formatMediaPlaylist(withParts)).toBe(formatMediaPlaylist({ ...ended, partTargetSeconds: 2 }));
  });

  it('offers the newest segments in parts, the one that is filled, the next part, and how far other renditions are', () => {
    const part = (durationSeconds: number, independent = false) => ({ durationSeconds, independent });
    const { durationSeconds: _, ...open } = segments(3)[2] as PlaylistSegment;
    const all = segments(2, { 1: { durationSeconds: 0.4004, parts: [part(0.2002, true), part(0.2002)] } });
    const playlist = { segments: all, targetDurationSeconds: 2, ended: false, partTargetSeconds: 0.2002, partSegments: 1 };
    const reports = [{ uri: '../720p/index.m3u8', lastMsn: 43, lastPart: 1 }];
    const text = formatMediaPlaylist({ ...playlist, open: { ...open, parts: [part(0.2002, true)] } }, { reports });
    expect(text).toBe(`#EXTM3U
#EXT-X-VERSION:9
#EXT-X-TARGETDURATION:2
#EXT-X-SERVER-CONTROL:CAN-BLOCK-RELOAD=YES,CAN-SKIP-UNTIL=12,HOLD-BACK=6,PART-HOLD-BACK=0.401
#EXT-X-PART-INF:PART-TARGET=0.20020
#EXT-X-MEDIA-SEQUENCE:41
#EXT-X-DISCONTINUITY-SEQUENCE:3
#EXT-X-MAP:URI="init-a1.mp4"
#EXT-X-PROGRAM-DATE-TIME:2030-01-01T12:00:00.000Z
#EXTINF:2.00200,
41.m4s
#EXT-X-PROGRAM-DATE-TIME:2030-01-01T12:00:02.002Z
#EXT-X-PART:DURATION=0.20020,URI="42-0.m4s",INDEPENDENT=YES
#EXT-X-PART:DURATION=0.20020,URI="42-1.m4s"
#EXTINF:0.40040,
42.m4s
#EXT-X-PROGRAM-DATE-TIME:2030-01-01T12:00:04.004Z
#EXT-X-PART:DURATION=0.20020,URI="43-0.m4s",INDEPENDENT=YES
#EXT-X-PRELOAD-HINT:TYPE=PART,URI="43-1.m4s"
#EXT-X-RENDITION-REPORT:URI="../720p/index.m3u8",LAST-MSN=43,LAST-PART=1
`);
    const hint = /PRELOAD-HINT.*/.exec(formatMediaPlaylist({ ...playlist, nextMediaSequence: 43 }))?.[0];
    expect(hint).toBe('PRELOAD-HINT:TYPE=PART,URI="43-0.m4s"');
  });

  it('leaves segments older than six target durations out of a delta update, and marks gaps', () => {
    const playlist = { segments: segments(10, { 9: { gap: true } }), targetDurationSeconds: 2, ended: false };
    const text = formatMediaPlaylist(playlist, { delta: true });
    expect(text).toBe(`#EXTM3U
#EXT-X-VERSION:9
#EXT-X-TARGETDURATION:2
#EXT-X-SERVER-CONTROL:CAN-BLOCK-RELOAD=YES,CAN-SKIP-UNTIL=12,HOLD-BACK=6
#EXT-X-MEDIA-SEQUENCE:41
#EXT-X-DISCONTINUITY-SEQUENCE:3
#EXT-X-SKIP:SKIPPED-SEGMENTS=4
${formatMediaPlaylist(playlist)
  .slice(formatMediaPlaylist(playlist).indexOf('#EXT-X-PROGRAM-DATE-TIME:2030-01-01T12:00:08'))
  .replace(/^/, '#EXT-X-MAP:URI="init-a1.mp4"\n')}`);
    expect(text).toMatch(/#EXT-X-GAP\n#EXTINF:2.00200,\n50.m4s\n$/);
    const short = { ...playlist, segments: segments(6) };
    expect(formatMediaPlaylist(short, { delta: true })).toBe(formatMediaPlaylist(short));
  });

  it('says that a segment is a gap before it is over: where that was first known', () => {
    const came = { durationSeconds: 0.2, independent: false };
    const missing = { ...came, gap: true };
    const whole = segments(1);
    const tell = (parts: readonly PlaylistPart[], gapAfter?: number) => {
      const gap = { parts, ...(gapAfter !== undefined && { gapAfter }) };
      const { durationSeconds: _, ...open } = segments(2, { 1: gap })[1] as PlaylistSegment;
      const playlist = { targetDurationSeconds: 2, ended: false, partTargetSeconds: 0.2, partSegments: 1, expectsPart: false };
      const both = segments(2, { 1: { ...gap, gap: gapAfter !== undefined } });
      const texts = [
        formatMediaPlaylist({ ...playlist, segments: whole, open }),
        formatMediaPlaylist({ ...playlist, segments: both }),
        formatMediaPlaylist({ ...playlist, segments: both, partSegments: 0 }),
      ];
      return texts.map((text) => (text.split('41.m4s')[1] ?? '').match(/PART:|GAP(?=\n)|GAP=YES|EXTINF/g)?.join(' '));
    };
    expect(tell([came, came])).toEqual(['PART: PART:', 'PART: PART: EXTINF', 'EXTINF']);
    expect(tell([came, came], 2)).toEqual(['PART: PART: GAP', 'PART: PART: GAP EXTINF', 'GAP EXTINF']);
    expect(tell([came, came], 1)).toEqual(['PART: GAP PART:', 'PART: GAP PART: EXTINF', 'GAP EXTINF']);
    expect(tell([missing, missing], 0)).toEqual([
      'GAP PART: GAP=YES PART: GAP=YES',
      'GAP PART: GAP=YES PART: GAP=YES EXTINF',
      'GAP EXTINF',
    ]);
  });

  it('leaves discontinuities and init segments out of a delta update too, and names the init segment that the next segment needs', () => {
    const other = { init: { id: 'b2' }, discontinuitySequence: 4 };
    const changes = Object.fromEntries([3, 4, 5, 6, 7, 8, 9].map((index) => [index, { ...other, discontinuity: index === 3 }]));
    const playlist = { segments: segments(10, changes), targetDurationSeconds: 2, ended: false };
    const whole = formatMediaPlaylist(playlist).split('\n');
    const firstKept = whole.indexOf('#EXT-X-PROGRAM-DATE-TIME:2030-01-01T12:00:08.008Z');
    expect(whole.slice(6, firstKept).filter((line) => /DISCONTINUITY|MAP/.test(line))).toEqual([
      '#EXT-X-MAP:URI="init-a1.mp4"',
      '#EXT-X-DISCONTINUITY',
      '#EXT-X-MAP:URI="init-b2.mp4"',
    ]);
    const delta = ['#EXT-X-SKIP:SKIPPED-SEGMENTS=4', '#EXT-X-MAP:URI="init-b2.mp4"', ...whole.slice(firstKept)];
    expect(formatMediaPlaylist(playlist, { delta: true }).split('\n')).toEqual([...whole.slice(0, 6), ...delta]);
  });

  it('leaves segments out of a delta update by how far they are from the end of the last complete segment', () => {
    const countSkipped = (durationSeconds: number, openParts: number) => {
      const whole = { durationSeconds, parts: [{ durationSeconds, independent: true }] };
      const changes = Object.fromEntries([...Array(10).keys()].map((index) => [index, whole]));
      const parts = Array.from({ length: openParts }, () => ({ durationSeconds: 0.2, independent: true }));
      const { durationSeconds: _, ...open } = segments(11)[10] as PlaylistSegment;
      const playlist = { segments: segments(10, changes), targetDurationSeconds: 2, ended: false, partTargetSeconds: 0.2 };
      const [all, update] = [false, true].map((delta) =>
        formatMediaPlaylist({ ...playlist, partSegments: 3, open: { ...open, parts } }, { delta }).split('\n'),
      ) as [string[], string[]];
      const skipped = Number(update.find((line) => line.startsWith('#EXT-X-SKIP'))?.split('=')[1] ?? 0);
      // The lines that are not skipped are the same, parts as well.
      const kept = all.slice(all.indexOf(`${40 + skipped}.m4s`) + 1);
      expect(update.slice(-kept.length)).toEqual(kept);
      expect(update.filter((line) => line.startsWith('#EXTINF'))).toHaveLength(10 - skipped);
      return skipped;
    };
    expect([0, 1, 9, 10, 11].map((openParts) => countSkipped(2.002, openParts))).toEqual([4, 4, 4, 4, 4]);
    // Just one, and none.
    expect([countSkipped(1.4, 0), countSkipped(1, 0)]).toEqual([1, 0]);
    // No further away than six target durations: the segment stays.
    expect([0, 9, 10, 11].map((openParts) => countSkipped(2, openParts))).toEqual([3, 3, 3, 3]);
  });

  it.each([2.5, 2.4, 25 / 3, 4 / 3, 2.0000049])(
    'keeps the skip boundary in a delta update of segments of %s s, however they are rounded',
    (seconds) => {
      const targetDurationSeconds = Math.round(seconds);
      const changes = Object.fromEntries([...Array(20).keys()].map((index) => [index, { durationSeconds: seconds }]));
      const { durationSeconds: _, ...open } = segments(21)[20] as PlaylistSegment;
      const playlist = { segments: segments(20, changes), targetDurationSeconds, ended: false, partTargetSeconds: 0.2 };
      for (let count = 0; count * 0.2 < seconds; count += 1) {
        const parts = Array.from({ length: count }, () => ({ durationSeconds: 0.2, independent: true }));
        const update = formatMediaPlaylist({ ...playlist, partSegments: 3, open: { ...open, parts } }, { delta: true });
        const [, boundary, skipped] = /CAN-SKIP-UNTIL=(\d+).*SKIPPED-SEGMENTS=(\d+)/s.exec(update) ?? [];
        const kept = [...update.matchAll(/#EXTINF:([\d.]+)/g)].map(([, duration]) => Number(duration));
        expect(kept).toHaveLength(20 - Number(skipped));
        expect(kept.reduce((sum, duration) => sum + duration, 0)).toBeGreaterThanOrEqual(Number(boundary));
      }
    },
  );

  it('is whole at the end, though a delta update was asked for', () => {
    const playlist = { segments: segments(10), targetDurationSeconds: 2, ended: true };
    expect(formatMediaPlaylist(playlist, { delta: true })).toBe(formatMediaPlaylist(playlist));
  });

  it('begins a discontinuity and another init segment with the first part of the open segment, and rounds its date', () => {
    const playlist = { segments: segments(1), targetDurationSeconds: 2, ended: false, partTargetSeconds: 0.2, partSegments: 0 };
    const { durationSeconds: _, ...next } = segments(2)[1] as PlaylistSegment;
    const open = { ...next, discontinuity: true, init: { id: 'b2' }, programDateTimeMs: at + 2002.6 };
    const tell = (parts: readonly PlaylistPart[]) =>
      formatMediaPlaylist({ ...playlist, open: { ...open, parts } }).split('41.m4s\n')[1];
    expect(tell([])).toBe('#EXT-X-PRELOAD-HINT:TYPE=PART,URI="42-0.m4s"\n');
    expect(tell([{ durationSeconds: 0.2, independent: true }])).toBe(`#EXT-X-DISCONTINUITY
#EXT-X-MAP:URI="init-b2.mp4"
#EXT-X-PROGRAM-DATE-TIME:2030-01-01T12:00:02.003Z
#EXT-X-PART:DURATION=0.20000,URI="42-0.m4s",INDEPENDENT=YES
#EXT-X-PRELOAD-HINT:TYPE=PART,URI="42-1.m4s"
`);
  });

  it('names no part of a rendition whose newest segment has none', () => {
    const playlist = { segments: segments(1), targetDurationSeconds: 2, ended: false };
    const reports = [{ uri: '../720p/index.m3u8', lastMsn: 43, lastPart: undefined }];
    expect(formatMediaPlaylist(playlist, { reports })).toMatch(
      /\n#EXT-X-RENDITION-REPORT:URI="..\/720p\/index.m3u8",LAST-MSN=43\n$/,
    );
  });

  it('cannot be empty', () => {
    expect(() => formatMediaPlaylist({ segments: [], targetDurationSeconds: 2, ended: false })).toThrow(RangeError);
  });
});
