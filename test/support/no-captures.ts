import type { CaptureSources } from '../../src/service/capture/parts.ts';

/** A computer without devices and pages. */
export const noCaptures: CaptureSources = {
  devices: { find: () => undefined, look: async () => {}, onChange: () => () => {} },
  shared: { watchPictures: () => async () => {}, watchSound: () => async () => {} },
  pages: { watchPictures: () => () => {}, watchSound: () => () => {} },
};
