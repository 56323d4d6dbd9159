import type { FlvTag } from './flv-tag.ts';

/**
 * An FLV tag placed in time. `timeMs` is its decode time on a timeline that counts on where 32-bit timestamps wrap, and that
 * never goes back by more than a little; where it would, another timeline begins, with the next number.
 */
export interface TimedTag {
  kind: FlvTag['kind'];
  timeline: number;
  timeMs: number;
  body: Buffer;
}
