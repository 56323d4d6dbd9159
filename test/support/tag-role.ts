import { parseAudioTag } from '../../src/service/flv/audio-tag.ts';
import type { FlvTag } from '../../src/service/flv/flv-tag.ts';
import { parseVideoTag } from '../../src/service/flv/video-tag.ts';

/** A tag's role for a joining reader: parameters needed first, a place to start, or what follows. */
export function findTagRole({ kind, body }: FlvTag): 'sequence-header' | 'keyframe' | 'other' {
  if (kind === 'script') return 'other';
  const tag = kind === 'video' ? parseVideoTag(body) : parseAudioTag(body);
  if (tag.kind === 'sequence-header') return 'sequence-header';
  return 'keyframe' in tag && tag.keyframe ? 'keyframe' : 'other';
}
