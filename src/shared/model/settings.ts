import { z } from 'zod';
import { EncoderChoice } from './encoder.ts';
import { RegionCode } from './ingest-pair.ts';
import { HttpPort, Port } from './port.ts';
import { RegionChoice, RegionList, RegionNetworks } from './region.ts';

/** A path of this computer: `/…`, `C:\…` or `\\server\…`. */
const FilePath = z
  .string()
  .max(4096)
  .regex(/^(\/|[A-Za-z]:[\\/]|\\\\)/, 'must be the full path of a file');

/** What the user can change in Settings. Ports and TLS take effect at the next start. */
export const Settings = z.strictObject({
  httpPort: HttpPort,
  rtmpPort: Port,
  regionCode: RegionCode,
  /** The domain this computer is reached under. URLs then take the interface's shapes. */
  serviceDomain: z
    .string()
    .regex(/^([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z]{2,63}$/, 'must be a domain name, like "live.example.com"')
    .optional(),
  regions: RegionList,
  /** For callers on other computers: the region of each network. Callers from other networks are nearest to this computer's region. */
  regionNetworks: RegionNetworks,
  /** Where *Go live* sends; a region that isn't in the list any more counts as `automatic`. */
  regionChoice: RegionChoice,
  /** Whether *Go live* switches to the next nearest region by itself when one fails. */
  changesRegion: z.boolean(),
  /** The certificate for HTTPS and RTMPS with its chain, and its key, both as PEM. They take effect at the next start. */
  tlsCertificatePath: FilePath.optional(),
  tlsKeyPath: FilePath.optional(),
  /**
   * How long to wait for a lost publisher before its broadcast ends. The maximum plus the 10 s after which a silent publisher
   * is lost stays below the 90 s after which an unseen stream is reported inactive.
   */
  reconnectWindowSeconds: z.int().min(5).max(75),
  /**
   * How much of a live stream stays playable and can be rewound, from the next broadcast on: a playlist keeps its window. What doesn't
   * fit in memory is kept on disk.
   */
  liveWindowSeconds: z.int().min(60).max(14_400),
  /** Duration of the parts of low-latency playback, as close as whole frames allow. */
  partMs: z.int().min(100).max(1000),
  /** The encoder for one-click broadcasts and renditions. */
  encoder: EncoderChoice,
  /** Whether x264 looks some frames ahead in one-click broadcasts: better pictures, seen that much later. */
  lookahead: z.boolean(),
  /** How loud broadcasts should be, in LUFS. It changes no sound: Health warns when a broadcast is more than 3 LU off. */
  loudnessTargetLufs: z.int().min(-30).max(-9),
});
export type Settings = z.infer<typeof Settings>;

const Nothing = z.literal('');

/** Changes to {@link Settings}; `''` clears one that is optional. */
export const SettingsChanges = Settings.partial().extend({
  serviceDomain: Settings.shape.serviceDomain.or(Nothing),
  tlsCertificatePath: Settings.shape.tlsCertificatePath.or(Nothing),
  tlsKeyPath: Settings.shape.tlsKeyPath.or(Nothing),
});
export type SettingsChanges = z.infer<typeof SettingsChanges>;

/** The name of a setting. */
export const SettingName = Settings.keyof();
export type SettingName = z.infer<typeof SettingName>;

/** What set a setting at the host's start: an option like `--region`, or an environment variable. */
export const SettingSource = z.strictObject({ kind: z.enum(['option', 'environment']), name: z.string() });
export type SettingSource = z.infer<typeof SettingSource>;

/** The sources of the settings that were given at the start. Screens can't change these settings. */
export const SettingSources = z.partialRecord(SettingName, SettingSource);
export type SettingSources = z.infer<typeof SettingSources>;
