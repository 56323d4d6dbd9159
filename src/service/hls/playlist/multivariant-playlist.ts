/** A variant as a multivariant playlist lists it. */
export interface Variant {
  /** Path of its media playlist, relative to the multivariant playlist. */
  uri: string;
  /** Bits per second: the peak, and the average. */
  bandwidthBps: number;
  averageBandwidthBps: number;
  /** RFC 6381 codec strings. */
  codecs: readonly string[];
  resolution?: { width: number; height: number };
  /** How its colours become light: `TransferCharacteristics` (ISO/IEC 23091-2 §8.2). */
  transfer?: number;
  fps?: number;
}

/** VIDEO-RANGE (rfc8216bis §4.4.6.2) of each high dynamic range; players take a variant without it for SDR. */
const rangeOfTransfer: Readonly<Record<number, string>> = { 16: 'PQ', 18: 'HLG' };

/**
 * The text of a multivariant playlist, variants in the order given (EXT-X-STREAM-INF, rfc8216bis §4.4.6.2). `startOffsetSeconds` is where
 * players begin, negative when counted from the end (EXT-X-START, §4.4.2.2).
 */
export function formatMultivariantPlaylist(variants: readonly Variant[], startOffsetSeconds?: number): string {
  const lines = ['#EXTM3U', '#EXT-X-VERSION:6'];
  if (startOffsetSeconds !== undefined) lines.push(`#EXT-X-START:TIME-OFFSET=${startOffsetSeconds.toFixed(3)}`);
  for (const variant of variants) lines.push(`#EXT-X-STREAM-INF:${formatStreamInf(variant)}`, variant.uri);
  return `${lines.join('\n')}\n`;
}

function formatStreamInf({ bandwidthBps, averageBandwidthBps, codecs, resolution, transfer, fps }: Variant): string {
  const attributes = [`BANDWIDTH=${Math.ceil(bandwidthBps)}`, `AVERAGE-BANDWIDTH=${Math.ceil(averageBandwidthBps)}`];
  attributes.push(`CODECS="${codecs.join(',')}"`);
  if (resolution !== undefined) attributes.push(`RESOLUTION=${resolution.width}x${resolution.height}`);
  if (fps !== undefined) attributes.push(`FRAME-RATE=${fps.toFixed(3)}`);
  const range = transfer === undefined ? undefined : rangeOfTransfer[transfer];
  if (range !== undefined) attributes.push(`VIDEO-RANGE=${range}`);
  return attributes.join(',');
}
