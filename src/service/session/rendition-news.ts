import type { LadderEvent } from '../../shared/model/ladder-event.ts';
import type { KeylessStream } from '../streams/stream-object.ts';

/** That renditions of a stream are not made any more, or are again: for whoever runs the service. */
export interface RenditionNews {
  streamId: string;
  streamName: string;
  event: Exclude<LadderEvent, { code: 'started' | 'overflow' }>;
}

/** What is worth telling of a ladder; undefined where it only does its work. The stream is read only where there is something. */
export function findRenditionNews(
  readStream: () => Pick<KeylessStream, 'id' | 'name'>,
  event: LadderEvent,
): RenditionNews | undefined {
  if (event.code === 'started' || event.code === 'overflow') return undefined;
  const { id, name } = readStream();
  return { streamId: id, streamName: name, event };
}
