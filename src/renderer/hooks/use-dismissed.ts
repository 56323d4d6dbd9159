import { useEffect } from 'react';
import { useKept } from './use-kept.ts';

const none: readonly string[] = [];

/**
 * The notices of a list that the user has dismissed. One stays dismissed on every screen until it is over: when it comes back, it is news.
 *
 * @param key names the list
 * @param present all current notices; undefined while they aren't known
 */
export function useDismissed(
  key: string,
  present: readonly string[] | undefined,
): { isDismissed: (id: string) => boolean; dismiss: (id: string) => void } {
  const [dismissed, setDismissed] = useKept(`dismissed ${key}`, '', () => none);
  const current = present === undefined ? dismissed : dismissed.filter((id) => present.includes(id));
  useEffect(() => {
    if (current.length < dismissed.length) setDismissed(current);
  });
  return {
    isDismissed: (id) => current.includes(id),
    dismiss: (id) => setDismissed([...current, id]),
  };
}
