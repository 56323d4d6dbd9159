import { parseScreenId, parseWindowId } from '../../../shared/model/device-id.ts';
import type { SystemInputs } from '../system-inputs.ts';

/** Up to this size, USB 2 carries raw pictures at full rate: 30 a second with 2 bytes for a pixel are 18 MB. */
export const rawPixels = 640 * 480;

/** Under Wayland, X11 shows only the programs that still use it, and is black elsewhere; the desktop's portal asks the user instead. */
const isWayland = () => Boolean(process.env.WAYLAND_DISPLAY);

/** The X11 display that shows this session's screens and windows; undefined under Wayland, or without a desktop. */
export function findX11Display(): string | undefined {
  return isWayland() ? undefined : process.env.DISPLAY || undefined;
}

/** Whether a display is the session's own, but the desktop is elsewhere. Another display, such as Xvfb's, shows its own contents. */
function isBesideDesktop(display: string): boolean {
  return isWayland() && display === parseScreenId(process.env.DISPLAY || ':0').display;
}

/**
 * ffmpeg's devices on Linux: X11 (`x11grab`), Video4Linux, and PulseAudio, which PipeWire is, too, to programs.
 *
 * A window is on the display of the environment.
 */
export const linuxInputs: SystemInputs = {
  picture({ kind, device }, { width, height, fps }, isFallback = false) {
    const x11 = ['-f', 'x11grab', '-framerate', String(fps), '-draw_mouse', '1'];
    switch (kind) {
      case 'screen': {
        const { display, size, offset } = parseScreenId(device.id);
        if (isBesideDesktop(display)) return undefined;
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
        return window === 0 || isWayland()
          ? undefined
          : [...x11, '-window_id', String(window), '-i', process.env.DISPLAY ?? ':0'];
      }
      case 'camera':
        return [
          ...['-f', 'v4l2'],
          // ffmpeg prefers raw pictures, which USB 2 carries at 5 or 10 a second in this size. Not every camera has others.
          ...(width * height > rawPixels && !isFallback ? ['-input_format', 'mjpeg'] : []),
          ...['-framerate', String(fps), '-video_size', `${width}x${height}`, '-i', device.path ?? device.id],
        ];
      default:
        return undefined;
    }
  },
  // Pieces of 10 ms: the default is several times as late.
  sound: ({ device }) => ['-f', 'pulse', '-name', 'Tallylight', '-fragment_size', '1920', '-i', device.id],
};
