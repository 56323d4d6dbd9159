import { createContext, type ReactNode, use } from 'react';
import type { LiveStore } from './live-store.ts';

const StoreContext = createContext<LiveStore | undefined>(undefined);

/** Provides the store to its children. */
export function StoreProvider({ store, children }: { store: LiveStore; children: ReactNode }) {
  return <StoreContext value={store}>{children}</StoreContext>;
}

/** The app's store. */
export function useStore(): LiveStore {
  const store = use(StoreContext);
  if (store === undefined) throw new Error('useStore is called outside StoreProvider');
  return store;
}
