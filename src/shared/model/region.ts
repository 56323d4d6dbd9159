import { z } from 'zod';
import { parseUrl } from '../parse-url.ts';
import { findPlainOrigin } from '../plain-origin.ts';
import { IngestFailure } from './ingest-failure.ts';
import { RegionCode, RegionName } from './ingest-pair.ts';

/** The longest URL that a region may have. */
export const maxBaseUrlLength = 2_048;

/** The rule that a list of regions or networks breaks, in the `params` of a custom issue of its schema. */
export type RegionFault =
  | { code: 'no-base-url'; example: string }
  | { code: 'listed-twice' }
  /** The URL's host names the region `named` instead of `region`. */
  | { code: 'names-other'; region: string; named: string }
  /** Another region has the same URL. */
  | { code: 'url-taken' }
  /** The playback URL's host or port isn't that of the base URL. */
  | { code: 'host-differs' };

/** What is wrong with a field of a region's form. */
export type FieldFault =
  | RegionFault
  | { code: 'no-region-code' }
  /** The URL is longer than {@link maxBaseUrlLength}. */
  | { code: 'too-long' }
  /** The list has no room for one more region. */
  | { code: 'too-many' };

/** What is wrong with a new network. */
export type NetworkFault = 'listed-twice' | 'no-network';

/** The rule that an issue of {@link RegionList} or {@link RegionNetworks} is about; undefined if it is about a bound or a type. */
export function findRegionFault(issue: z.core.$ZodIssue): RegionFault | undefined {
  return issue.code === 'custom' ? issue.params?.fault : undefined;
}

/** An absolute URL that fits, with nothing that doesn't belong in a base URL. */
function baseUrl(example: string, fits: (url: URL) => boolean) {
  const fault: RegionFault = { code: 'no-base-url', example };
  return z
    .string()
    .max(maxBaseUrlLength)
    .refine(
      (text) => {
        const url = parseUrl(text);
        if (url === undefined || !fits(url) || url.hostname === '') return false;
        return url.username === '' && url.password === '' && url.search === '' && url.hash === '' && !/[\s/]$/.test(text);
      },
      { error: `must be a URL like "${example}", without a slash at its end`, params: { fault } },
    );
}

/** Pages play from its origin, so that may allow no other one in their Content-Security-Policy. */
const webUrl = (example: string) => baseUrl(example, ({ href }) => findPlainOrigin(href) !== undefined);

/** The base URLs of one region, as they are answered: publish to `{ingest}/{streamKey}`, play `{playback}/{playbackId}/index.m3u8`. */
const RegionUrls = z.strictObject({
  ingest: baseUrl('rtmps://ber-rtmp.example.com/live', ({ protocol }) => ['rtmp:', 'rtmps:'].includes(protocol)),
  playback: webUrl('https://ber-cdn.example.com/hls'),
  base: webUrl('https://ber-cdn.example.com'),
});

/** A region of the service. Without `urls` they are made from the service domain ("URL shapes" of the interface). */
export const Region = z.strictObject({ code: RegionCode, urls: RegionUrls.optional() });
export type Region = z.infer<typeof Region>;

/** The service's regions. A list without this computer's own region begins with it. */
export const RegionList = z
  .array(Region)
  .max(64)
  .superRefine((regions, context) => {
    const add = (path: (string | number)[], message: string, fault: RegionFault) =>
      context.addIssue({ code: 'custom', path, message, params: { fault } });
    for (const [index, region] of regions.entries()) {
      const earlier = regions.slice(0, index);
      if (earlier.some(({ code }) => code === region.code))
        add([index, 'code'], 'must be another code: each region is listed once', { code: 'listed-twice' });
      const { urls } = region;
      if (urls === undefined) continue;
      for (const name of ['ingest', 'playback', 'base'] as const) {
        const path = [index, 'urls', name];
        const named = findNamedRegion(urls[name]);
        if (named !== undefined && named !== region.code)
          add(path, `must be of region ${region.code}: it names ${named}`, { code: 'names-other', region: region.code, named });
        if (earlier.some((other) => other.urls?.[name] === urls[name]))
          add(path, 'must be of this region alone: another one has the same URL', { code: 'url-taken' });
      }
      if (parseUrl(urls.playback)?.host !== parseUrl(urls.base)?.host)
        add([index, 'urls', 'playback'], 'must have the same host and port as the base URL', { code: 'host-differs' });
    }
  });
export type RegionList = z.infer<typeof RegionList>;

/** The region that a URL's host names if it has the interface's shape, `ber-rtmp.example.com` or `ber-cdn.example.com`. */
function findNamedRegion(url: string): string | undefined {
  return /^([a-z]{3})-(?:rtmp|cdn)\./i.exec(parseUrl(url)?.hostname ?? '')?.[1]?.toLowerCase();
}

/** A network in CIDR notation (RFC 4632, RFC 4291 §2.3) whose callers are nearest to a region. */
export const RegionNetwork = z.strictObject({
  network: z.union([z.cidrv4(), z.cidrv6()], 'must be a network like "203.0.113.0/24" or "2001:db8::/32"'),
  region: RegionCode,
});
export type RegionNetwork = z.infer<typeof RegionNetwork>;

/** Networks with their regions; the longest prefix wins, so their order means nothing. */
export const RegionNetworks = z
  .array(RegionNetwork)
  .max(1000)
  .superRefine((networks, context) => {
    const fault: RegionFault = { code: 'listed-twice' };
    const message = 'must be another network: it is listed twice';
    const seen = new Set<string>();
    for (const [index, { network }] of networks.entries()) {
      const name = network.toLowerCase();
      if (seen.has(name)) context.addIssue({ code: 'custom', path: [index, 'network'], message, params: { fault } });
      seen.add(name);
    }
  });
export type RegionNetworks = z.infer<typeof RegionNetworks>;

/**
 * How long a TCP connection to an ingest takes from this computer: the median of several, in milliseconds, or why there is none.
 * `measuredAt` is in epoch milliseconds.
 */
export const ConnectionTime = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('reached'), ms: z.number(), measuredAt: z.number() }),
  z.object({ kind: z.literal('failed'), failure: IngestFailure, measuredAt: z.number() }),
]);
export type ConnectionTime = z.infer<typeof ConnectionTime>;

/** A region as the screens show it: with the URLs of its pair. */
export const RegionView = z.object({
  code: RegionCode,
  ingest: z.string(),
  playback: z.string(),
  base: z.string(),
  /** This computer. */
  isOwn: z.boolean(),
  isMeasuring: z.boolean(),
  /** The last result; absent until there is one. */
  time: ConnectionTime.optional(),
});
export type RegionView = z.infer<typeof RegionView>;

/** Where a stream's one-click broadcast goes. */
export const RouteView = z.object({
  code: RegionName,
  /** This computer. */
  isOwn: z.boolean(),
  /** The base URLs of its pair. */
  ingest: z.string(),
  playback: z.string(),
  /** It has failed, and this is the next nearest. */
  offer: RegionName.optional(),
});
export type RouteView = z.infer<typeof RouteView>;

/** Where *Go live* sends: to the nearest region, or always to one. */
export const RegionChoice = z.union([z.literal('automatic'), RegionCode], 'must be "automatic" or the code of a region');
export type RegionChoice = z.infer<typeof RegionChoice>;

/** Everything about regions that the screens show. */
export const RegionsView = z.object({
  /** In the order of the settings; this computer's region is always among them. */
  regions: z.array(RegionView),
  /** The nearest region that can be reached; absent until one is known to be reachable. */
  nearest: RegionCode.optional(),
  /** Where the next *Go live* sends. */
  chosen: RegionCode,
  choice: RegionChoice,
  /** Whether *Go live* changes to the next nearest region by itself when one fails. */
  changesRegion: z.boolean(),
  /** The settings that these are made from. */
  listed: RegionList,
  networks: RegionNetworks,
  serviceDomain: z.string().optional(),
});
export type RegionsView = z.infer<typeof RegionsView>;
