import type { SystemInputs } from '../system-inputs.ts';

/** A screen of an X11 display, as its id says: the display, then maybe a part of it, `:0@1920x1080+0,0`. */
const screenPattern = /^(?<display>[^@]+)(?:@(?<size>\d+x\d+)\+(?<offset>\d+,\d+))?$/;

/**
 * ffmpeg's devices on Linux: X11 (`x11grab`), Video4Linux, and PulseAudio, which PipeWire is, too, to programs.
 *
 * A window's id is its X11 id; it is on the display of the environment.
 */
export const linuxInputs: SystemInputs = {
  picture({ kind, device }, { width, height, fps }) {
    const x11 = ['-f', 'x11grab', '-framerate', String(fps), '-draw_mouse', '1'];
    switch (kind) {
      case 'screen': {
        const { display = device.id, size, offset } = screenPattern.exec(device.id)?.groups ?? {};
        return [
          ...x11,
          ...(size === undefined ? [] : ['-video_size', size]),
          '-i',
          offset === undefined ? display : `${display}+${offset}`,
        ];
      }
      case 'window':
        return [...x11, '-window_id', String(Number(device.id)), '-i', process.env.DISPLAY ?? ':0'];
      case 'camera':
        return ['-f', 'v4l2', '-framerate', String(fps), '-video_size', `${width}x${height}`, '-i', device.id];
      default:
        return undefined;
    }
  },
  // Pieces of 10 ms: the default is several times as late.
  sound: ({ device }) => ['-f', 'pulse', '-name', 'Tallylight', '-fragment_size', '1920', '-i', device.id],
};
