/** The bytes that a `Range` header asks for. Both ends of `bytes` are included. */
export type ByteRange = { kind: 'whole' } | { kind: 'bytes'; first: number; last: number } | { kind: 'unsatisfiable' };

/**
 * Parses a `Range` header for a body of `sizeBytes` (RFC 9110 §14.1.2).
 *
 * One range is served; several, another unit or nonsense are ignored, as §14.2 allows.
 */
export function parseByteRange(header: string | undefined, sizeBytes: number): ByteRange {
  const match = header === undefined ? null : /^bytes=[ \t]*(?:(\d{1,15})-(\d{1,15})?|-(\d{1,15}))[ \t]*$/i.exec(header);
  if (match === null) return { kind: 'whole' };
  const [, firstText, lastText, suffixText] = match;
  if (firstText === undefined) {
    const suffix = Number(suffixText);
    if (suffix === 0) return { kind: 'unsatisfiable' };
    return { kind: 'bytes', first: Math.max(sizeBytes - suffix, 0), last: sizeBytes - 1 };
  }
  const first = Number(firstText);
  const last = Math.min(lastText === undefined ? sizeBytes - 1 : Number(lastText), sizeBytes - 1);
  if (lastText !== undefined && Number(lastText) < first) return { kind: 'whole' };
  return first >= sizeBytes ? { kind: 'unsatisfiable' } : { kind: 'bytes', first, last };
}
