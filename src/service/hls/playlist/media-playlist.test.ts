import { describe, expect, it } from 'vitest';
import { formatMediaPlaylist, type PlaylistSegment } from './media-playlist.ts';

const at = Date.UTC(2030, 0, 1, 12);

function segments(count: number, changes: Readonly<Record<number, Partial<PlaylistSegment>>> = {}): PlaylistSegment[] {
  return Array.from({ length: count }, (_, index) => ({
    msn: 41 + index,
    durationSeconds: 2.002,
    programDateTimeMs: at + index * 2002,
    discontinuity: false,
    discontinuitySequence: 3,
    independent: true,
    init: { id: 'a1' },
    ...changes[index],
  }));
}

describe('formatMediaPlaylist', () => {
  it('is a live playlist: every segment with its wall clock', () => {
    expect(formatMediaPlaylist({ segments: segments(2), targetDurationSeconds: 2, ended: false })).toBe(`#EXTM3U
#EXT-X-VERSION:6
#EXT-X-TARGETDURATION:2
#EXT-X-MEDIA-SEQUENCE:41
#EXT-X-DISCONTINUITY-SEQUENCE:3
#EXT-X-INDEPENDENT-SEGMENTS
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
      1: { discontinuity: true, discontinuitySequence: 4, init: { id: 'b2' }, independent: false, durationSeconds: 10 },
      2: { discontinuity: true, discontinuitySequence: 5, init: { id: 'b2' } },
    };
    expect(formatMediaPlaylist({ segments: segments(3, changes), targetDurationSeconds: 10, ended: true })).toBe(`#EXTM3U
#EXT-X-VERSION:6
#EXT-X-TARGETDURATION:10
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

  it('cannot be empty', () => {
    expect(() => formatMediaPlaylist({ segments: [], targetDurationSeconds: 2, ended: false })).toThrow(RangeError);
  });
});
