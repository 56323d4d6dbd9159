import type { RemoteServiceView } from '../../shared/model/remote-service.ts';
import { useStore } from '../store/store-context.tsx';
import { useLiveValue } from './use-live-value.ts';

/** The remote services; none until they are known. */
export function useRemoteServices(): readonly RemoteServiceView[] {
  const services = useLiveValue(useStore().remoteServices);
  return services.kind === 'known' ? services.value : [];
}
