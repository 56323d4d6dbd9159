import type { StreamView } from '../../shared/model/views.ts';
import { isEnding, isOurs } from './air-status.ts';

/** The warning in a question about an action that ends the stream's broadcast; undefined off air. */
export function titleRunning({ air, oneClick }: Pick<StreamView, 'air' | 'oneClick'>): string | undefined {
  switch (air.kind) {
    case 'off-air':
      return undefined;
    case 'connecting':
      return 'This stream is going on air';
    case 'on-air':
      return 'This stream is on air';
    case 'reconnecting':
      if (isEnding(air, oneClick)) return 'A broadcast is ending';
      return isOurs(oneClick) ? 'A broadcast is reconnecting' : 'A broadcast is waiting for its encoder';
  }
}

/** The warning in the question about a new key; none for our own encoder, which continues with the new key. */
export function titleEndedByNewKey(stream: Pick<StreamView, 'air' | 'oneClick'>): string | undefined {
  return isOurs(stream.oneClick) ? undefined : titleRunning(stream);
}
