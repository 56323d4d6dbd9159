import type { SystemInputs } from '../system-inputs.ts';

/** ffmpeg's devices on macOS (`avfoundation`), by name. It has none for windows, nor for what the computer plays. */
export const macInputs: SystemInputs = {
  picture({ kind, device }, { fps }) {
    const input = ['-f', 'avfoundation', '-framerate', String(fps)];
    switch (kind) {
      case 'screen':
        return [...input, '-capture_cursor', '1', '-i', `${device.id}:none`];
      case 'camera':
        return [...input, '-i', `${device.id}:none`];
      default:
        return undefined;
    }
  },
  sound: ({ kind, device }) => (kind === 'microphone' ? ['-f', 'avfoundation', '-i', `none:${device.id}`] : undefined),
};
