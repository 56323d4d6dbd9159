import { parseRenditionFolder } from './qualities.ts';

/** A rendition as the multivariant playlist lists it. */
interface ListedRendition {
  url: string;
  attrs: { CODECS?: string };
}

/** A level of hls.js. */
interface PlayedLevel {
  url: readonly string[];
  attrs: { CODECS?: string };
}

/**
 * The names of the renditions that hls.js leaves out because the browser can't decode their codecs (CODECS, rfc8216bis §4.4.6.2). Of two
 * renditions with the same attributes hls.js also leaves one out; that one can be decoded, since the other can.
 */
export function findUndecodable(listed: readonly ListedRendition[], levels: readonly PlayedLevel[]): readonly string[] {
  const decoded = new Set(levels.map(({ attrs }) => attrs.CODECS));
  return listed.filter(({ attrs }) => !decoded.has(attrs.CODECS)).flatMap(({ url }) => parseRenditionFolder(url) ?? []);
}
