import type { EncodeFailure } from '../../shared/model/encode-failure.ts';
import type { EncoderName } from '../../shared/model/encoder.ts';
import type { LadderEvent } from '../../shared/model/ladder-event.ts';
import type { LadderRendition } from './ladder-rendition.ts';

/** Hears what happens to a ladder. `stderr` holds ffmpeg's last lines, oldest first, or nothing. */
export type LadderListener = (event: LadderEvent, stderr: readonly string[]) => void;

/** Why an ffmpeg ended, and its last lines. */
export interface RunFailure {
  failure: EncodeFailure;
  stderr: readonly string[];
}

type Renditions = readonly Pick<LadderRendition, 'profile'>[];

/** Turns what happens to a ladder into events that name its profiles. */
export class LadderEvents {
  readonly #all: Renditions;
  readonly #onEvent: LadderListener;

  constructor(all: Renditions, onEvent: LadderListener) {
    this.#all = all;
    this.#onEvent = onEvent;
  }

  started(renditions: Renditions): void {
    this.#onEvent({ code: 'started', severity: 'good', names: namesOf(renditions) }, []);
  }

  shed(rendition: Renditions[number]): void {
    this.#onEvent({ code: 'shed', severity: 'warn', names: namesOf([rendition]) }, []);
  }

  returned(rendition: Renditions[number]): void {
    this.#onEvent({ code: 'returned', severity: 'good', names: namesOf([rendition]) }, []);
  }

  leftOut(renditions: Renditions): void {
    this.#onEvent({ code: 'left-out', severity: 'good', names: namesOf(renditions) }, []);
  }

  takenBack(renditions: Renditions): void {
    this.#onEvent({ code: 'taken-back', severity: 'good', names: namesOf(renditions) }, []);
  }

  overflowed(frames: number, renditions: Renditions): void {
    this.#onEvent({ code: 'overflow', severity: 'warn', names: namesOf(renditions), frames }, []);
  }

  /** `restart`: another ffmpeg follows, with another encoder where one is named. */
  crashed({ failure, stderr }: RunFailure, renditions: Renditions, restart?: { encoder?: EncoderName }): void {
    const names = namesOf(renditions);
    this.#onEvent({ code: 'crashed', severity: 'warn', names, failure, ...(restart && { restart }) }, stderr);
  }

  /** These renditions rest for `waitMs`, after `count` failures, of which this is the last. */
  rested(
    { failure: last, stderr }: RunFailure,
    renditions: Renditions,
    { count, waitMs }: { count: number; waitMs: number },
  ): void {
    this.#onEvent({ code: 'rested', severity: 'bad', names: namesOf(renditions), count, last, waitMs }, stderr);
  }

  /** ffmpeg cannot decode the source's video, which is coded with `codec`. */
  undecodable(codec: string): void {
    const why = { kind: 'no-decoder', codec } as const;
    this.#onEvent({ code: 'given-up', severity: 'warn', names: namesOf(this.#all), why }, []);
  }
}

function namesOf(renditions: Renditions): string[] {
  return renditions.map(({ profile }) => profile.name);
}
