import type { Logger as PinoLogger } from 'pino';

/** Named secrets in a place the operating system guards, in a file, or in memory. Values are UTF-8 text. */
export interface SecretStore {
  /** `os` and `file` outlive the process; `memory` is gone with it. */
  readonly kind: 'os' | 'memory' | 'file';
  /** What to do when what was kept here is not found any more, a sentence or two. */
  readonly whenLost: string;
  /** The end of its refusals: what else can be done where nothing was kept here yet. */
  readonly instead?: string;
  find(name: string): Promise<string | undefined>;
  set(name: string, value: string): Promise<void>;
}

/** What time it is, in whole milliseconds; passed in so that tests wait for nothing. */
export interface Clock {
  /** The time of day, Unix epoch: for what people read. It jumps when the computer's clock is set, or wakes from sleep. */
  now(): number;
  /**
   * Time since some beginning, which is never set: for every age, window, hold and timeout. On some systems it stands still
   * while the computer sleeps, as timers do.
   */
  monotonicMs(): number;
}

export type Logger = PinoLogger;

/** What a host lends the service. The host opens these and closes them after the service. */
export interface HostPorts {
  secrets: SecretStore;
  clock: Clock;
  log: Logger;
}
