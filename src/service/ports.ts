import type { Logger as PinoLogger } from 'pino';

/** Named secrets in a place the operating system guards, or in memory. Values are UTF-8 text. */
export interface SecretStore {
  /** `os` outlives the process; `memory` is gone with it. */
  readonly kind: 'os' | 'memory';
  find(name: string): Promise<string | undefined>;
  set(name: string, value: string): Promise<void>;
}

/** The wall clock in Unix epoch milliseconds; passed in so that tests wait for nothing. */
export interface Clock {
  now(): number;
}

export type Logger = PinoLogger;

/** What a host lends the service. The host opens these and closes them after the service. */
export interface HostPorts {
  secrets: SecretStore;
  clock: Clock;
  log: Logger;
}
