import type { LadderEvent } from '../../shared/model/ladder-event.ts';
import type { KeylessStream } from '../streams/stream-object.ts';

/** News of a stream's renditions for the person who runs the service: some are no longer made, or are made again. */
export interface RenditionNews {
  streamId: string;
  streamName: string;
  event: Exclude<LadderEvent, { code: 'started' | 'overflow' }>;
}

/** The news in an event of a ladder; undefined for routine. The stream is read only where there is news. */
export function findRenditionNews(
  readStream: () => Pick<KeylessStream, 'id' | 'name'>,
  event: LadderEvent,
): RenditionNews | undefined {
  if (event.code === 'started' || event.code === 'overflow') return undefined;
  const { id, name } = readStream();
  return { streamId: id, streamName: name, event };
}
