/** The places on a US keyboard of the keys that type something. */
const places: Readonly<Record<string, { code: string; shiftKey?: true }>> = {
  t: { code: 'KeyT' },
  '.': { code: 'Period' },
  '?': { code: 'Slash', shiftKey: true },
};

/**
 * Whether `event` presses this key: the key that types it. Keyboards that now type another script, such as Cyrillic or Arabic, may have
 * no such key, so the one in its place on a US keyboard counts, too; most are labelled with both. Keys that an input method takes don't
 * count.
 */
export function isPressOf(key: string, event: Pick<KeyboardEvent, 'key' | 'code' | 'shiftKey' | 'isComposing'>): boolean {
  if (event.isComposing) return false;
  if (event.key.toLowerCase() === key.toLowerCase()) return true;
  const place = places[key];
  if (place === undefined || /^[\p{ASCII}\p{Script=Latin}]/u.test(event.key)) return false;
  return event.code === place.code && (place.shiftKey === undefined || event.shiftKey);
}
