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
 * The names of the renditions that hls.js leaves out because the browser doesn't decode their codecs (CODECS, rfc8216bis §4.4.6.2). Of two
 * with the same attributes it leaves one out, too; that one can be decoded, as the other one is.
 */
export function findUndecodable(listed: readonly ListedRendition[], levels: readonly PlayedLevel[]): readonly string[] {
  const decoded = new Set(levels.map(({ attrs }) => attrs.CODECS));
  return listed.filter(({ attrs }) => !decoded.has(attrs.CODECS)).flatMap(({ url }) => parseRenditionFolder(url) ?? []);
}
