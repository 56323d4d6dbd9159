import type { Profile } from '../../shared/model/profile.ts';
import type { LadderEvent } from './rendition-state.ts';

/** Why an ffmpeg ended, and its last words. */
interface Failure {
  sentence: string;
  stderr: readonly string[];
}

/** Says in sentences what happens to a ladder. */
export class LadderVoice {
  readonly #profiles: readonly Profile[];
  readonly #onEvent: (event: LadderEvent) => void;

  constructor(profiles: readonly Profile[], onEvent: (event: LadderEvent) => void) {
    this.#profiles = profiles;
    this.#onEvent = onEvent;
  }

  started(profileIndexes: readonly number[]): void {
    const sentence = `Encoding ${profileIndexes.map((index) => this.#name(index)).join(', ')}.`;
    this.#tell({ kind: 'started', severity: 'good', sentence, profileIndexes });
  }

  shed(profileIndex: number): void {
    const sentence = `The rendition ${this.#name(profileIndex)} is left out: this computer cannot encode it fast enough.`;
    this.#tell({ kind: 'shed', severity: 'warn', sentence, profileIndexes: [profileIndex] });
  }

  returned(profileIndex: number): void {
    const sentence = `The rendition ${this.#name(profileIndex)} is encoded again: there is room for it now.`;
    this.#tell({ kind: 'returned', severity: 'good', sentence, profileIndexes: [profileIndex] });
  }

  leftOut(profileIndexes: readonly number[]): void {
    const sentence = `${this.#subject(profileIndexes)} left out, as you asked.`;
    this.#tell({ kind: 'left-out', severity: 'good', sentence, profileIndexes });
  }

  takenBack(profileIndexes: readonly number[]): void {
    const sentence = `${this.#subject(profileIndexes)} encoded again, as you asked.`;
    this.#tell({ kind: 'taken-back', severity: 'good', sentence, profileIndexes });
  }

  overflowed(frames: number, profileIndexes: readonly number[]): void {
    const sentence = `${frames} frames were left out of the renditions: ffmpeg did not take them in time.`;
    this.#tell({ kind: 'overflow', severity: 'warn', sentence, profileIndexes });
  }

  /** `after` says what is done about it, if anything. */
  crashed({ sentence, stderr }: Failure, profileIndexes: readonly number[], after?: string): void {
    const whole = after === undefined ? sentence : `${sentence} ${after}`;
    this.#tell({ kind: 'crashed', severity: 'warn', sentence: whole, profileIndexes, stderr });
  }

  givenUp({ sentence, stderr }: Failure, failures: number): void {
    this.#tell({
      kind: 'given-up',
      severity: 'bad',
      sentence: `The renditions are given up after ${failures} failures within a minute: ${sentence} The source continues.`,
      profileIndexes: [...this.#profiles.keys()],
      stderr,
    });
  }

  #tell(event: Omit<LadderEvent, 'stderr'> & { stderr?: readonly string[] }): void {
    this.#onEvent({ stderr: [], ...event });
  }

  #subject(profileIndexes: readonly number[]): string {
    const names = profileIndexes.map((index) => this.#name(index)).join(', ');
    return profileIndexes.length === 1 ? `The rendition ${names} is` : `The renditions ${names} are`;
  }

  #name(profileIndex: number): string {
    const { name }: Partial<Profile> = this.#profiles[profileIndex] ?? {};
    return `“${name}”`;
  }
}
