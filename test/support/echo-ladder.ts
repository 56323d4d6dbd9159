import type { StartLadder } from '../../src/service/session/publisher-renditions.ts';

/** Starts a ladder whose encoders output their input at once, unchanged; all of it is out when `drained` resolves. */
export function startEchoLadder({ renditions }: Parameters<StartLadder>[0], drained?: Promise<void>): ReturnType<StartLadder> {
  return {
    stateOf: () => 'running',
    push: (unit) => {
      for (const rendition of renditions) rendition.onUnit(unit);
    },
    tick: () => {},
    leaveOut: () => {},
    drain: async () => drained,
  };
}
