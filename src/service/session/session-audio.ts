import type { RunningAudioMeter } from '../audio-meter/publisher-meter.ts';
import type { LiveFeed } from './live-feed.ts';

/** Meters the audio of a session: each of its publishers has a meter of its own, which reads the live feed. */
export class SessionAudio {
  readonly #live: Pick<LiveFeed, 'read'>;
  readonly #start: (() => RunningAudioMeter) | undefined;
  #meter: RunningAudioMeter | undefined;
  #ended: Promise<unknown> = Promise.resolve();

  constructor(live: Pick<LiveFeed, 'read'>, start: (() => RunningAudioMeter) | undefined) {
    this.#live = live;
    this.#start = start;
  }

  /** The meter of the publisher that sends. */
  get meter(): RunningAudioMeter | undefined {
    return this.#meter;
  }

  /** Resolves, never rejects, when the meters of all publishers so far have ended, once they were stopped. */
  get ended(): Promise<unknown> {
    return this.#ended;
  }

  /** A publisher begins. Returns the function that stops its meter; call it once. */
  startPublisher(): () => void {
    const meter = this.#start?.();
    this.#meter = meter;
    if (meter === undefined) return () => {};
    const reader = this.#live.read({
      name: 'audio-meter',
      onUnits: (units) => units.takeAll((unit) => meter.push(unit)),
    });
    return () => {
      reader.close();
      if (this.#meter === meter) this.#meter = undefined;
      this.#ended = Promise.all([this.#ended, meter.close()]);
    };
  }
}
