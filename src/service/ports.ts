import type { Logger as PinoLogger } from 'pino';
import type { DeviceKind } from '../shared/model/capture.ts';
import type { CapturePageHost } from './page-capture/capture-page-host.ts';

/** Which secret store to use: the OS keychain, the memory of the process, or a file at this absolute path. */
export type SecretsLocation = 'os' | 'memory' | { file: string };

/** Named secrets, kept by the operating system, in a file, or in memory. Values are UTF-8 text. */
export interface SecretStore {
  /** `os` and `file` outlive the process; `memory` does not. */
  readonly kind: 'os' | 'memory' | 'file';
  /** The absolute path, if it is a file. */
  readonly path?: string;
  find(name: string): Promise<string | undefined>;
  /** All secrets whose names begin with `prefix`, in no order. Absent where there is only one, or where they can't be listed safely. */
  findAll?(prefix: string): Promise<string[]>;
  set(name: string, value: string): Promise<void>;
}

/** The time in whole milliseconds. Passed in so that tests need not wait. */
export interface Clock {
  /** Unix time, for what people read. It jumps when the computer's clock is set or the computer wakes from sleep. */
  now(): number;
  /**
   * Time since an arbitrary start, which is never set: use it for every age, window, hold and timeout. On Linux it stops while the
   * computer sleeps, as timers do.
   */
  monotonicMs(): number;
}

export type Logger = PinoLogger;

/** A system's signals about sleep: it is about to fall asleep, or has woken. */
export type SleepSignal = 'suspend' | 'resume';

/** Calls the listener with each signal; returns the undo. */
export type OnSleepSignal = (listener: (signal: SleepSignal) => void) => () => void;

/** Whether the system refuses a kind of device to us. Asked each time that one is about to be opened. */
export type DeviceRefusal = (kind: DeviceKind) => boolean;

/** The parts that a host lends the service. The host opens these, and closes them after the service. */
export interface HostPorts {
  secrets: SecretStore;
  clock: Clock;
  log: Logger;
  /** The desktop app's capture window; a browser has a tab. */
  capturePage?: CapturePageHost;
  /** The desktop app gets the system's sleep signals; plain Node doesn't. */
  onSleepSignal?: OnSleepSignal;
  /** The desktop app can ask macOS; plain Node can't. */
  isDeviceRefused?: DeviceRefusal | undefined;
}
