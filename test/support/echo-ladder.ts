import type { StartLadder } from '../../src/service/session/publisher-renditions.ts';

/** Starts a ladder whose encoders put out at once what they were fed, unchanged; the last is out when `drained` resolves. */
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
