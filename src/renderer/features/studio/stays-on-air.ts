import type { StreamLive } from '../../../shared/model/views.ts';

/**
 * Whether viewers lose nothing by Stop: it only ends our attempts, since the broadcast that its remote service has on air is another
 * program's. On a stream of our own, Stop ends any broadcast.
 */
export function staysOnAir({ stream: { air, isActive }, oneClick, service }: StreamLive): boolean {
  const isTrying = oneClick.kind === 'starting' || oneClick.kind === 'retrying';
  // While the service calls the stream inactive, its regions may still play ours.
  return service !== undefined && isActive && air.kind === 'on-air' && isTrying;
}
