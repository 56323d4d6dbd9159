import { parseScreenId, parseWindowId } from '../../../shared/model/device-id.ts';
import type { SystemInputs } from '../system-inputs.ts';

/**
 * ffmpeg's devices on Linux: X11 (`x11grab`), Video4Linux, and PulseAudio, which PipeWire is, too, to programs.
 *
 * A window is on the display of the environment.
 */
export const linuxInputs: SystemInputs = {
  picture({ kind, device }, { width, height, fps }) {
    const x11 = ['-f', 'x11grab', '-framerate', String(fps), '-draw_mouse', '1'];
    switch (kind) {
      case 'screen': {
        const { display, size, offset } = parseScreenId(device.id);
        return [
          ...x11,
          ...(size === undefined ? [] : ['-video_size', size]),
          '-i',
          offset === undefined ? display : `${display}+${offset}`,
        ];
      }
      case 'window': {
        // To ffmpeg, window 0 is the whole screen.
        const { window = 0 } = parseWindowId(device.id) ?? {};
        return window === 0 ? undefined : [...x11, '-window_id', String(window), '-i', process.env.DISPLAY ?? ':0'];
      }
      case 'camera':
        return ['-f', 'v4l2', '-framerate', String(fps), '-video_size', `${width}x${height}`, '-i', device.id];
      default:
        return undefined;
    }
  },
  // Pieces of 10 ms: the default is several times as late.
  sound: ({ device }) => ['-f', 'pulse', '-name', 'Tallylight', '-fragment_size', '1920', '-i', device.id],
};
