import { createContext, type ReactNode, use } from 'react';
import type { LiveStore } from './live-store.ts';

const StoreContext = createContext<LiveStore | undefined>(undefined);

/** Lends the store to everything inside. */
export function StoreProvider({ store, children }: { store: LiveStore; children: ReactNode }) {
  return <StoreContext value={store}>{children}</StoreContext>;
}

/** The store of the app this component stands in. */
export function useStore(): LiveStore {
  const store = use(StoreContext);
  if (store === undefined) throw new Error('useStore is called outside StoreProvider');
  return store;
}
