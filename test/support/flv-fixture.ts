import { readFileSync } from 'node:fs';
import { FlvReader } from '../../src/service/flv/flv-file.ts';
import type { FlvTag } from '../../src/service/flv/flv-tag.ts';

/** The tags of `test/fixtures/media/eight-seconds.flv`: four GOPs of 2 s, 10 fps, with audio. */
export function readEightSeconds(): FlvTag[] {
  return new FlvReader().push(readFileSync(new URL('../fixtures/media/eight-seconds.flv', import.meta.url)));
}
