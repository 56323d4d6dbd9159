import { isBlockedPort } from '../shared/model/port.ts';
import type { PortRefusal } from '../shared/model/service-notice.ts';
import type { Settings } from '../shared/model/settings.ts';
import { defaultSettings, type ServiceConfig } from './config.ts';
import type { PortChoice } from './lib/start-on-port.ts';

/** A preferred port that could not be used when the service started. */
export interface MovedPort {
  purpose: 'HTTP' | 'RTMP';
  preferred: number;
  reason: PortRefusal;
}

const purposes = {
  HTTP: { name: 'httpPort', option: '--http-port' },
  RTMP: { name: 'rtmpPort', option: '--rtmp-port' },
} as const;

/** The ports to listen on, as they were asked for or are set, and which of them could not be used. */
export class ServicePorts {
  readonly moved: MovedPort[] = [];
  readonly #config: ServiceConfig;
  readonly #settings: () => Settings;

  constructor(config: ServiceConfig, settings: () => Settings) {
    this.#config = config;
    this.#settings = settings;
  }

  choose(purpose: MovedPort['purpose']): PortChoice {
    const { name, option } = purposes[purpose];
    const preferred = this.#settings()[name];
    return {
      host: this.#config.host,
      asked: this.#config[name],
      preferred,
      usual: defaultSettings[name],
      mayUse: (port) => purpose !== 'HTTP' || !isBlockedPort(port),
      purpose,
      option,
      onMoved: (reason) => this.moved.push({ purpose, preferred, reason }),
    };
  }
}
