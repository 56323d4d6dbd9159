import type { StreamLive } from '../../shared/model/views.ts';

/** Whether another computer packages the broadcast: a region's or a remote service's. */
export function isElsewhere({ service, region }: Pick<StreamLive, 'service' | 'region'>): boolean {
  return service !== undefined || region?.isOwn === false;
}
