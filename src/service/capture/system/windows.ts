import type { SystemInputs } from '../system-inputs.ts';

/** Devices of DirectShow deliver sound in pieces of half a second unless told otherwise. */
const pieceMs = 20;

/**
 * ffmpeg's devices on Windows: Desktop Duplication for one screen where ffmpeg has it (since 6.0), which costs little and misses no
 * frame; GDI for all screens and for windows; DirectShow for the others. It has none for system sound.
 *
 * A screen's id is `ddagrab:0` with its number, `desktop` for all of them, or a part of that, `1920x1080+0,0`; a window's is its title.
 */
export const windowsInputs: SystemInputs = {
  picture({ kind, device }, { fps }) {
    const gdi = ['-f', 'gdigrab', '-framerate', String(fps), '-draw_mouse', '1'];
    switch (kind) {
      case 'screen': {
        const { output } = /^ddagrab:(?<output>\d+)$/.exec(device.id)?.groups ?? {};
        // A source of libavfilter, whose pictures are on the graphics card.
        if (output !== undefined) {
          return ['-f', 'lavfi', '-i', `ddagrab=output_idx=${output}:framerate=${fps}:draw_mouse=1,hwdownload,format=bgra`];
        }
        const { size, x = '0', y = '0' } = /^(?<size>\d+x\d+)\+(?<x>-?\d+),(?<y>-?\d+)$/.exec(device.id)?.groups ?? {};
        return [...gdi, ...(size === undefined ? [] : ['-offset_x', x, '-offset_y', y, '-video_size', size]), '-i', 'desktop'];
      }
      case 'window':
        return [...gdi, '-i', `title=${device.id}`];
      case 'camera':
        return ['-f', 'dshow', '-rtbufsize', '64M', '-i', `video=${device.id}`];
      default:
        return undefined;
    }
  },
  sound: ({ kind, device }) =>
    kind === 'microphone' ? ['-f', 'dshow', '-audio_buffer_size', String(pieceMs), '-i', `audio=${device.id}`] : undefined,
};
