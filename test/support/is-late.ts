import type { CaptureFault } from '../../src/shared/model/capture.ts';

/** Whether a busy computer may cause this fault: an ffmpeg that is late with a file. */
export const isLate = (fault: CaptureFault | undefined): boolean => fault?.code === 'stuck' || fault?.code === 'too-slow';
