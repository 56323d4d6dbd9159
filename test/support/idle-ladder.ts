import type { RunningLadder } from '../../src/service/transcode/running-ladder.ts';

/** A ladder where nothing can encode. */
export const idleLadder: RunningLadder = {
  stateOf: () => 'given-up',
  push() {},
  tick() {},
  leaveOut() {},
  async drain() {},
};
