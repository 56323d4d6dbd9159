import type { DeviceToOpen, SystemInputs } from '../system-inputs.ts';

/**
 * The rate that a camera is opened with. It must be exactly the highest of one of the camera's modes, and nearly every camera has one
 * of 30. The wanted rate is made from it afterwards.
 */
const cameraFps = 30;

const nameOf = ({ id, index }: DeviceToOpen): string => (index === undefined ? id : String(index));

/**
 * ffmpeg's devices on macOS (`avfoundation`), by name, or by number where ffmpeg misreads the name. It has none for windows or for
 * system sound.
 */
export const macInputs: SystemInputs = {
  picture({ kind, device }, { fps }) {
    const input = ['-f', 'avfoundation', '-framerate', String(kind === 'camera' ? cameraFps : fps)];
    switch (kind) {
      case 'screen':
        return [...input, '-capture_cursor', '1', '-i', `${nameOf(device)}:none`];
      case 'camera':
        return [...input, '-i', `${nameOf(device)}:none`];
      default:
        return undefined;
    }
  },
  sound: ({ kind, device }) => (kind === 'microphone' ? ['-f', 'avfoundation', '-i', `none:${nameOf(device)}`] : undefined),
};
