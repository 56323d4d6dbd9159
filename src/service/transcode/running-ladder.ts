import type { Ladder } from './ladder.ts';

/** What a session needs of its ladder, whether it encodes already or not. */
export type RunningLadder = Pick<Ladder, 'push' | 'tick' | 'drain' | 'renditions' | 'leaveOut'>;
