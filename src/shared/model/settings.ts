import { z } from 'zod';
import { EncoderChoice } from './encoder.ts';
import { RegionCode } from './ingest-pair.ts';

const Port = z.int().min(1).max(65535);

/** What the user can change in Settings. Ports take effect at the next start. */
export const Settings = z.strictObject({
  httpPort: Port,
  rtmpPort: Port,
  regionCode: RegionCode,
  /** Set when the computer is reached under names of this domain: URLs then have the interface's shapes. */
  serviceDomain: z
    .string()
    .regex(/^([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z]{2,63}$/, 'must be a domain name, like "live.example.com"')
    .optional(),
  /**
   * How long a lost publisher may take to come back before its broadcast ends. The longest, with the 10 s after which a silent
   * publisher is lost, ends before the 90 s after which an unseen stream is reported inactive.
   */
  reconnectWindowSeconds: z.int().min(5).max(75),
  /** How much of a live stream stays playable, and can be rewound: on disk where it is too much for the memory. */
  liveWindowSeconds: z.int().min(60).max(14_400),
  /** How long the parts of low-latency playback are, as near as whole frames can be. */
  partMs: z.int().min(100).max(1000),
  /** What encodes one-click broadcasts and the renditions of profiles. */
  encoder: EncoderChoice,
});
export type Settings = z.infer<typeof Settings>;

/** Changes to {@link Settings}; `serviceDomain` `''` clears it. */
export const SettingsChanges = Settings.partial().extend({ serviceDomain: Settings.shape.serviceDomain.or(z.literal('')) });
export type SettingsChanges = z.infer<typeof SettingsChanges>;
