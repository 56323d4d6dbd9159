import type { PageCaptureState } from '../../src/shared/model/page-capture.ts';

/** A camera that a page captures. */
export const openCamera: Extract<PageCaptureState, { kind: 'open' }> = {
  kind: 'open',
  of: 'camera',
  name: 'Cam',
  hasPicture: true,
  hasSound: false,
  isMuted: false,
  isSilent: false,
};
