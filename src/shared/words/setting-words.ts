import type { SettingName, SettingSource } from '../model/settings.ts';

const fileAdvice = 'Use the full path of a file, or leave it empty.';

/** Advice on the values that each setting takes. */
export const settingAdvice: Readonly<Record<SettingName, string>> = {
  httpPort: 'Use a port from 1 to 65535 that browsers open: they block some, like 6000.',
  rtmpPort: 'Use a port from 1 to 65535.',
  regionCode: 'Use the three-letter code of a nearby airport, like ber.',
  serviceDomain: 'Use a domain name, like live.example.com, or leave it empty.',
  regions: 'Use codes like ber, jfk, each with its ingest and playback URL if they are not made from the service domain.',
  regionNetworks: 'Use networks with their regions, like 203.0.113.0/24 ber, 2001:db8::/32 jfk.',
  regionChoice: 'Use automatic, or the code of a region in the list.',
  changesRegion: 'Switch it on or off.',
  tlsCertificatePath: fileAdvice,
  tlsKeyPath: fileAdvice,
  reconnectWindowSeconds: 'Use 5 to 75 seconds.',
  liveWindowSeconds: 'Use 60 seconds to 4 hours, which is 14400 seconds.',
  partMs: 'Use 100 to 1000 milliseconds.',
  encoder: 'Choose one of the encoders in the list.',
  lookahead: 'Switch it on or off.',
  loudnessTargetLufs: 'Use −30 to −9 LUFS.',
};

/** What set a setting, to follow "Set" or "is set". */
export function describeSettingSource({ kind, name }: SettingSource): string {
  return kind === 'option' ? `by the option ${name}` : `by the environment variable ${name}`;
}
