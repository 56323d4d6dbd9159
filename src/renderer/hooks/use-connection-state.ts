import { useSyncExternalStore } from 'react';
import type { ConnectionState } from '../client/connection.ts';
import { useStore } from '../store/store-context.tsx';

/** Whether calls reach the service. */
export function useConnectionState(): ConnectionState {
  const { connection } = useStore();
  return useSyncExternalStore(connection.onChange, connection.state);
}
