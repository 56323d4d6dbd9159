import type { AirState } from '../../shared/model/live.ts';

/** What a question warns of that would end a stream's broadcast; undefined off air. */
export function titleRunning(air: AirState): string | undefined {
  switch (air.kind) {
    case 'off-air':
      return undefined;
    case 'connecting':
      return 'This stream is about to be on air';
    case 'on-air':
      return 'This stream is on air';
    case 'reconnecting':
      return 'A broadcast is waiting for its encoder';
  }
}
