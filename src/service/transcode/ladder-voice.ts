import type { EncodeFailure } from '../../shared/model/encode-failure.ts';
import type { EncoderName } from '../../shared/model/encoder.ts';
import type { LadderEvent } from '../../shared/model/ladder-event.ts';
import type { Profile } from '../../shared/model/profile.ts';

/** Hears what happens to a ladder. `stderr` is ffmpeg's last words, oldest first; empty where it had none to say. */
export type LadderListener = (event: LadderEvent, stderr: readonly string[]) => void;

/** Why an ffmpeg ended, and its last words. */
interface Failure {
  failure: EncodeFailure;
  stderr: readonly string[];
}

/** Tells what happens to a ladder, by the names of its profiles. */
export class LadderVoice {
  readonly #profiles: readonly Profile[];
  readonly #onEvent: LadderListener;

  constructor(profiles: readonly Profile[], onEvent: LadderListener) {
    this.#profiles = profiles;
    this.#onEvent = onEvent;
  }

  started(profileIndexes: readonly number[]): void {
    this.#onEvent({ code: 'started', severity: 'good', names: this.#names(profileIndexes) }, []);
  }

  shed(profileIndex: number): void {
    this.#onEvent({ code: 'shed', severity: 'warn', names: this.#names([profileIndex]) }, []);
  }

  returned(profileIndex: number): void {
    this.#onEvent({ code: 'returned', severity: 'good', names: this.#names([profileIndex]) }, []);
  }

  leftOut(profileIndexes: readonly number[]): void {
    this.#onEvent({ code: 'left-out', severity: 'good', names: this.#names(profileIndexes) }, []);
  }

  takenBack(profileIndexes: readonly number[]): void {
    this.#onEvent({ code: 'taken-back', severity: 'good', names: this.#names(profileIndexes) }, []);
  }

  overflowed(frames: number, profileIndexes: readonly number[]): void {
    this.#onEvent({ code: 'overflow', severity: 'warn', names: this.#names(profileIndexes), frames }, []);
  }

  /** `restart` says what is done about it, if anything. */
  crashed({ failure, stderr }: Failure, profileIndexes: readonly number[], restart?: { encoder?: EncoderName }): void {
    const names = this.#names(profileIndexes);
    this.#onEvent({ code: 'crashed', severity: 'warn', names, failure, ...(restart && { restart }) }, stderr);
  }

  givenUp({ failure: last, stderr }: Failure, count: number): void {
    const why = { kind: 'failures', count, last } as const;
    this.#onEvent({ code: 'given-up', severity: 'bad', names: this.#allNames, why }, stderr);
  }

  /** ffmpeg cannot decode the source, which is coded with `codec`. */
  undecodable(codec: string): void {
    this.#onEvent({ code: 'given-up', severity: 'warn', names: this.#allNames, why: { kind: 'no-decoder', codec } }, []);
  }

  get #allNames(): string[] {
    return this.#profiles.map(({ name }) => name);
  }

  #names(profileIndexes: readonly number[]): string[] {
    return profileIndexes.flatMap((index) => this.#profiles[index]?.name ?? []);
  }
}
