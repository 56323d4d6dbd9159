import { parseAudioTag } from './flv-audio.ts';
import type { FlvTag } from './flv-tag.ts';
import { parseVideoTag } from './flv-video.ts';
import { ifWellFormed } from './media-format-error.ts';

/** What a tag is to whoever joins: parameters that are needed first, a place to start, or what follows. */
export type TagRole = 'sequence-header' | 'keyframe' | 'other';

/** The role of a tag; one that cannot be parsed has none. */
export function findTagRole(tag: FlvTag): TagRole {
  return ifWellFormed(() => readTagRole(tag), 'other');
}

function readTagRole({ kind, body }: FlvTag): TagRole {
  if (kind === 'video') {
    const video = parseVideoTag(body);
    if (video.kind === 'sequence-header') return 'sequence-header';
    return video.kind === 'frame' && video.keyframe ? 'keyframe' : 'other';
  }
  return kind === 'audio' && parseAudioTag(body).kind === 'sequence-header' ? 'sequence-header' : 'other';
}
