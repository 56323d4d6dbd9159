import type { KeylessStream } from '../streams/stream-object.ts';
import type { LadderEvent } from '../transcode/rendition-state.ts';

/** That renditions of a stream are not made any more, or are again: for whoever runs the service. */
export interface RenditionNews {
  streamId: string;
  streamName: string;
  kind: 'shed' | 'returned' | 'left-out' | 'taken-back' | 'crashed' | 'given-up';
  /** The names of their profiles. */
  renditions: readonly string[];
  sentence: string;
}

/** What is worth telling of a ladder; undefined where it only does its work. The stream is read only where there is something. */
export function describeRenditionNews(
  readStream: () => Pick<KeylessStream, 'id' | 'name' | 'profiles'>,
  { kind, profileIndexes, sentence }: LadderEvent,
): RenditionNews | undefined {
  if (kind === 'started' || kind === 'overflow') return undefined;
  const { id, name, profiles = [] } = readStream();
  const renditions = profileIndexes.flatMap((index) => profiles[index]?.name ?? []);
  return { streamId: id, streamName: name, kind, renditions, sentence };
}
