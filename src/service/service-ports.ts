import { isBlockedPort } from '../shared/model/port.ts';
import type { PortPurpose, PortRefusal } from '../shared/model/service-notice.ts';
import type { Settings } from '../shared/model/settings.ts';
import { defaultSettings, type ServiceConfig } from './config.ts';
import type { PortChoice } from './lib/start-on-port.ts';

/** A preferred port that could not be used when the service started. */
export interface MovedPort {
  purpose: PortPurpose;
  preferred: number;
  reason: PortRefusal;
}

const settingNames = { HTTP: 'httpPort', RTMP: 'rtmpPort' } as const;

/** The requested or set ports, the bound ones, and the preferred ones that could not be used. */
export class ServicePorts {
  readonly moved: MovedPort[] = [];
  readonly #bound: Partial<Record<PortPurpose, number>> = {};
  readonly #config: ServiceConfig;
  readonly #settings: () => Settings;

  constructor(config: ServiceConfig, settings: () => Settings) {
    this.#config = config;
    this.#settings = settings;
  }

  /** The bound port; until it is bound, the set one. */
  get httpPort(): number {
    return this.#bound.HTTP ?? this.#settings().httpPort;
  }

  /** As {@link httpPort}. */
  get rtmpPort(): number {
    return this.#bound.RTMP ?? this.#settings().rtmpPort;
  }

  /** Call once a port is bound. */
  noteBound(purpose: PortPurpose, port: number): void {
    this.#bound[purpose] = port;
  }

  choose(purpose: PortPurpose): PortChoice {
    const name = settingNames[purpose];
    const preferred = this.#settings()[name];
    return {
      host: this.#config.host,
      asked: this.#config[name],
      preferred,
      usual: defaultSettings[name],
      rtmpPort: this.#bound.RTMP,
      mayUse: (port) => purpose !== 'HTTP' || !isBlockedPort(port),
      purpose,
      onMoved: (reason) => this.moved.push({ purpose, preferred, reason }),
    };
  }
}
