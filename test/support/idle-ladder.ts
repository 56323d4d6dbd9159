import type { RunningLadder } from '../../src/service/transcode/running-ladder.ts';

/** A ladder without any working encoder. */
export const idleLadder: RunningLadder = {
  stateOf: () => 'given-up',
  push() {},
  tick() {},
  leaveOut() {},
  async drain() {},
};
