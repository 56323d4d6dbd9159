import { defaultSettings } from '../../src/service/config.ts';
import { RegionMeter } from '../../src/service/regions/region-meter.ts';
import { Regions } from '../../src/service/regions/regions.ts';
import type { ConnectFailure } from '../../src/shared/model/ingest-failure.ts';
import type { Settings } from '../../src/shared/model/settings.ts';

/** The base URLs of a region on this host. */
export const urlsOf = (host: string) => ({
  ingest: `rtmp://${host}/live`,
  playback: `http://${host}/hls`,
  base: `http://${host}`,
});

/** The pair of a region on this host. */
export const pairOf = (host: string) => ({ ingest: `rtmp://${host}/live`, playback: `http://${host}/hls` });

/** The base URLs of the stand's own region. */
export const ownUrls = {
  ingest: 'rtmp://127.0.0.1:1935/live',
  playback: 'http://127.0.0.1:4600/hls',
  base: 'http://127.0.0.1:4600',
};
export const ownPair = { ingest: ownUrls.ingest, playback: ownUrls.playback };

/** The regions of a service in Berlin. Hosts with a failure instead of a connection time can't be reached; those with neither refuse. */
export function openRegionStand(
  changes: Partial<Settings> = {},
  times: Readonly<Record<string, number | ConnectFailure>> = {},
  hasNetwork: () => boolean = () => true,
) {
  const measured: string[] = [];
  const meter = new RegionMeter({
    clock: { now: () => 0, monotonicMs: () => 0 },
    measureOnce: async (ingest) => {
      const host = ingest.slice('rtmp://'.length, -'/live'.length);
      measured.push(host);
      const time = times[host] ?? { code: 'connection-refused', address: host };
      return typeof time === 'number' ? { ms: time } : { failure: time };
    },
  });
  const settings: Settings = { ...defaultSettings, regionCode: 'ber', ...changes };
  const regions = new Regions({
    settings: () => settings,
    address: () => ({ host: '127.0.0.1', httpPort: 4600, rtmpPort: 1935 }),
    meter,
    hasNetwork,
  });
  return { regions, settings, measured };
}

/** Two more regions, and the networks nearest to them. */
export const threeRegions: Pick<Settings, 'regions' | 'regionNetworks'> = {
  regions: [
    { code: 'jfk', urls: urlsOf('10.0.0.2') },
    { code: 'sin', urls: urlsOf('10.0.0.3') },
  ],
  regionNetworks: [
    { network: '198.51.100.0/24', region: 'jfk' },
    { network: '2001:db8::/32', region: 'sin' },
    { network: '203.0.113.0/24', region: 'ams' },
  ],
};
