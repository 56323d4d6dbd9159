import type { TrackKind } from '../../shared/model/track-kind.ts';
import { type ConfigUnit, decodeMs, type MediaUnit } from '../media/media-unit.ts';
import type { StreamMetadata } from '../media/stream-metadata.ts';
import { isSameConfig } from '../media/track-config.ts';
import type { MediaPublisher } from '../publishing/media-publisher.ts';
import { RunningGop, staleMs } from './running-gop.ts';

/**
 * The beginning of a new connection: the metadata, the configurations, and the media since the newest keyframe, unless that is stale.
 * Times are those of `Clock.monotonicMs`.
 */
export class ConnectionStart {
  #metadata: StreamMetadata | undefined;
  readonly #configs: Partial<Record<TrackKind, ConfigUnit>> = {};
  readonly #gop = new RunningGop();
  /** When the newest frame came. */
  #newestAtMs = 0;

  announce(metadata: StreamMetadata): void {
    this.#metadata = metadata;
  }

  /** Takes each unit, whether or not there is a connection. */
  push(unit: MediaUnit, nowMs: number): void {
    if (unit.type === 'config') {
      this.#configs[unit.config.track] = unit;
      return;
    }
    this.#gop.push(unit);
    this.#newestAtMs = nowMs;
  }

  /**
   * Sends all of it. Each frame follows its own configuration: the newest one may be from an encoder that hasn't made a frame yet.
   *
   * @returns whether frames are missing: no video may follow before the next keyframe
   */
  sendTo(publisher: Pick<MediaPublisher, 'announce' | 'send'>, nowMs: number): boolean {
    const { lacksFrames } = this.#gop;
    const isStale = nowMs - this.#newestAtMs > staleMs;
    const units = isStale ? [] : this.#gop.units;
    const [first] = units;
    if (this.#metadata) publisher.announce(this.#metadata, first ? decodeMs(first) : 0);
    const sent: Partial<Record<TrackKind, ConfigUnit['config']>> = {};
    const announce = (config: ConfigUnit['config'], { dts, timescale }: MediaUnit) => {
      if (isSameConfig(sent[config.track], config)) return;
      sent[config.track] = config;
      publisher.send({ type: 'config', config, dts, timescale });
    };
    const newest = [this.#configs.video, this.#configs.audio].filter((unit) => unit !== undefined);
    for (const unit of newest) {
      const { config } = units.find(({ type }) => type === unit.config.track) ?? unit;
      announce(config, first ?? unit);
    }
    for (const unit of units) {
      announce(unit.config, unit);
      publisher.send(unit);
    }
    for (const unit of newest) announce(unit.config, units.at(-1) ?? unit);
    return lacksFrames || isStale;
  }
}
