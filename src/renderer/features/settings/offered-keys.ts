import type { ApiKey } from '../../../shared/model/api-key.ts';
import { findKept } from '../../hooks/use-kept.ts';
import type { LiveStore } from '../../store/live-store.ts';
import type { LiveSnapshot } from '../../store/live-value.ts';

/** A new API key with its secret, which no other call returns: it is offered until the user says that it is copied. */
export interface OfferedKey {
  apiKey: ApiKey;
  secret: string;
  /** The copy button has copied it: a reload loses nothing any more. */
  isCopied?: boolean;
}

/** Where they are kept while the user is on other screens. */
export const offeredKeysSlot = { key: 'made API keys', stamp: '' } as const;

/** The keys that can still be used: one may have been revoked elsewhere. */
export function withoutRevoked(offered: readonly OfferedKey[], keys: LiveSnapshot<readonly ApiKey[]>): OfferedKey[] {
  return offered.filter(({ apiKey }) => !isRevoked(apiKey, keys));
}

/** Whether a reload would lose a new API key that isn't copied yet. */
export function offersKeys({ kept, apiKeys }: Pick<LiveStore, 'kept' | 'apiKeys'>): boolean {
  const offered = findKept<readonly OfferedKey[]>(kept, offeredKeysSlot.key, offeredKeysSlot.stamp) ?? [];
  return withoutRevoked(offered, apiKeys.get()).some(({ isCopied }) => !isCopied);
}

/** Whether a current list lacks the key, as it also does for a moment if the answer comes before the list with the new key. */
function isRevoked({ id }: ApiKey, keys: LiveSnapshot<readonly ApiKey[]>): boolean {
  if (keys.kind !== 'known' || keys.refused !== undefined || keys.unreadSinceMs !== undefined) return false;
  return !keys.value.some((key) => key.id === id);
}
