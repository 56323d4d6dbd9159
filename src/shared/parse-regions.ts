import type { Region, RegionNetwork } from './model/region.ts';

/**
 * Reads regions as people type them, separated by commas or lines: `ber`, or `ber rtmps://… https://…/hls` with an ingest and a playback
 * URL, and the base URL if it isn't the playback URL without `/hls`. What is read isn't checked yet.
 */
export function parseRegions(text: string): Region[] {
  return splitEntries(text).map(([code = '', ingest, playback = '', base, ...rest]) => {
    if (ingest === undefined) return { code: code.toLowerCase() };
    // Further words make the last URL invalid, rather than being ignored.
    const last = base === undefined ? baseOfPlayback(playback) : [base, ...rest].join(' ');
    return { code: code.toLowerCase(), urls: { ingest, playback, base: last } };
  });
}

/** The base URL that belongs to a playback URL, unless another one is given. */
export function baseOfPlayback(playback: string): string {
  return playback.replace(/\/hls$/, '');
}

/** Reads networks with their regions, like `203.0.113.0/24 ber, 2001:db8::/32 jfk`. What is read isn't checked yet. */
export function parseRegionNetworks(text: string): RegionNetwork[] {
  return splitEntries(text).map(([network = '', ...region]) => ({ network, region: region.join(' ').toLowerCase() }));
}

/** The entries' words; commas and lines separate entries. */
function splitEntries(text: string): string[][] {
  const entries = text.split(/[,\n]/).map((entry) => entry.trim());
  return entries.filter((entry) => entry !== '').map((entry) => entry.split(/\s+/));
}
