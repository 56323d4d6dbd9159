import type { Ladder } from './ladder.ts';

/** The part of a ladder that its session needs, whether the ladder encodes yet or not. */
export type RunningLadder = Pick<Ladder, 'push' | 'tick' | 'drain' | 'stateOf' | 'leaveOut'>;
