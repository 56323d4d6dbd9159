import type { StreamView } from '../../shared/model/views.ts';
import { isOurs } from './air-status.ts';

/** What a question warns of that would end a stream's broadcast; undefined off air. */
export function titleRunning({ air, oneClick }: Pick<StreamView, 'air' | 'oneClick'>): string | undefined {
  switch (air.kind) {
    case 'off-air':
      return undefined;
    case 'connecting':
      return 'This stream is going on air';
    case 'on-air':
      return 'This stream is on air';
    case 'reconnecting':
      return oneClick === undefined ? 'A broadcast is waiting for its encoder' : 'A broadcast is reconnecting';
  }
}

/** What the question about a new key warns of: our own encoder continues with it. */
export function titleEndedByNewKey(stream: Pick<StreamView, 'air' | 'oneClick'>): string | undefined {
  return isOurs(stream.oneClick) ? undefined : titleRunning(stream);
}
