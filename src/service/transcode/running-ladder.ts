import type { Ladder } from './ladder.ts';

/** What a session needs of its ladder, whether that encodes yet or not. */
export type RunningLadder = Pick<Ladder, 'push' | 'tick' | 'drain' | 'stateOf' | 'leaveOut'>;
