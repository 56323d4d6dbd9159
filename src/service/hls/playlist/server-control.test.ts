import { expect, it } from 'vitest';
import { formatMediaPlaylist, type PlaylistSegment } from './media-playlist.ts';
import { formatServerControl } from './server-control.ts';

it('holds players back three target durations, and tells that it can leave out segments older than six', () => {
  expect(formatServerControl(2, undefined)).toBe('#EXT-X-SERVER-CONTROL:CAN-BLOCK-RELOAD=YES,CAN-SKIP-UNTIL=12,HOLD-BACK=6');
});

const rates = [24_000 / 1001, 24, 25, 30_000 / 1001, 30, 50, 60_000 / 1001, 60];

it.each(rates)('holds players back two parts at least as the part target is written, at %f fps', (fps) => {
  const segment: PlaylistSegment = {
    msn: 0,
    durationSeconds: 2,
    programDateTimeMs: 0,
    discontinuity: false,
    discontinuitySequence: 0,
    init: { id: 'a1' },
    parts: [],
  };
  for (let frames = Math.ceil(fps / 10); frames <= fps; frames += 1) {
    const playlist = { segments: [segment], targetDurationSeconds: 2, ended: false, partTargetSeconds: frames / fps };
    const text = formatMediaPlaylist(playlist);
    const [, partTarget] = /PART-TARGET=(\d\.\d{5})\n/.exec(text) ?? [];
    const [, holdBack] = /PART-HOLD-BACK=(\d\.\d{3})\n/.exec(text) ?? [];
    const aboveMs = Number(holdBack) * 1000 - 2 * Number(partTarget) * 1000;
    expect([frames, aboveMs > -1e-9 && aboveMs < 1]).toEqual([frames, true]);
  }
});
