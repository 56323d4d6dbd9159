import type { RemoteFailure } from '../../shared/model/remote-failure.ts';
import { SharedPoll } from '../lib/shared-poll.ts';
import type { Clock } from '../ports.ts';
import { NewestSession } from './newest-session.ts';
import { type PollFailure, pollPauseMs } from './poll-pause.ts';
import type { AnsweredStream } from './remote-answers.ts';
import type { RemoteApi } from './remote-api.ts';
import { readRemoteFailure } from './remote-error.ts';
import { type RemoteAnswer, RemoteProgress } from './remote-progress.ts';

/** The pauses between two polls of a stream: on air or about to be, and otherwise. */
const livePauseMs = 2_000;
const idlePauseMs = 5_000;

export interface AnswerFollowerOptions {
  /** The id of the stream at its service. */
  id: string;
  clock: Pick<Clock, 'monotonicMs'>;
  /** The service's interface, as it is now. Throws once the service is removed. */
  api: () => RemoteApi;
  /** Whether this computer sends to the stream. */
  isSending: () => boolean;
  /** Called with each answer, including those to other requests. */
  onAnswer: (answer: RemoteAnswer, nowMs: number) => void;
  /** Called after each poll that the service has answered. */
  onPollAnswered: () => void;
  /** Called after each poll, answered or not, with when it was sent. */
  onPolled: (askedAtMs: number) => void;
}

/**
 * A service's answers about one stream: the last one, the failures since then, and the progress over all of them. Polls while somebody
 * needs it. Times are those of `Clock.monotonicMs`.
 */
export class AnswerFollower {
  readonly #options: AnswerFollowerOptions;
  readonly #poll: SharedPoll;
  readonly #newestSession = new NewestSession();
  readonly #progress = new RemoteProgress();
  #last: RemoteAnswer | undefined;
  #heardAtMs: number | undefined;
  #failed: (PollFailure & { sinceMs: number }) | undefined;

  constructor(options: AnswerFollowerOptions) {
    this.#options = options;
    this.#poll = new SharedPoll({ read: (isOvertaken) => this.#read(isOvertaken), pauseMs: () => this.#pauseMs() });
  }

  get last(): RemoteAnswer | undefined {
    return this.#last;
  }

  /** When the service last answered. */
  get heardAtMs(): number | undefined {
    return this.#heardAtMs;
  }

  /** Whether the stream's numbers move. */
  get progress(): Omit<RemoteProgress, 'note'> {
    return this.#progress;
  }

  /** Whether the service calls the stream active. */
  get isActive(): boolean {
    return this.#last?.stream.isActive === true;
  }

  /** Why the last poll failed; undefined once the service has answered again. */
  get failure(): RemoteFailure | undefined {
    return this.#failed?.failure;
  }

  /** When the first of the failed polls was sent. */
  get failingSinceMs(): number | undefined {
    return this.#failed?.sinceMs;
  }

  /** The service's silence before now no longer counts. */
  forgetEarlierSilence(): void {
    if (this.#failed) this.#failed.sinceMs = this.#options.clock.monotonicMs();
  }

  get isPolling(): boolean {
    return this.#poll.isNeeded;
  }

  /** Polls until the returned undo is called. */
  need(): () => void {
    return this.#poll.need();
  }

  nextRead(): Promise<void> {
    return this.#poll.nextRead();
  }

  readSoon(): void {
    this.#poll.wake();
  }

  /** Takes over the service's answer to another request. The known session stays only with the broadcast that it belongs to. */
  noteStream(stream: AnsweredStream): void {
    const known = this.#last;
    this.#note({ stream, session: known?.stream.isActive === stream.isActive ? known.session : undefined });
  }

  async #read(isOvertaken: () => boolean): Promise<void> {
    const { api: findApi, id, clock, onPollAnswered, onPolled } = this.#options;
    const askedAtMs = clock.monotonicMs();
    const known = this.#last;
    try {
      const api = findApi();
      const answer = await api.poll(async () => {
        const stream = await api.getStream(id);
        return { stream, session: await this.#newestSession.read(api, stream, known?.session) };
      });
      if (isOvertaken()) return;
      // The answer to another request that came meanwhile is newer.
      if (this.#last === known) this.#note(answer);
      onPollAnswered();
    } catch (error) {
      if (isOvertaken()) return;
      if (this.#last === known) this.#noteFailure(error, askedAtMs);
    }
    onPolled(askedAtMs);
  }

  #noteFailure(error: unknown, askedAtMs: number): void {
    const { count = 0, sinceMs = askedAtMs } = this.#failed ?? {};
    this.#failed = { failure: readRemoteFailure(error), count: count + 1, sinceMs };
  }

  #note(answer: RemoteAnswer): void {
    const nowMs = this.#options.clock.monotonicMs();
    this.#last = answer;
    this.#failed = undefined;
    this.#heardAtMs = nowMs;
    this.#progress.note(answer, nowMs);
    this.#options.onAnswer(answer, nowMs);
  }

  #pauseMs(): number {
    return pollPauseMs(this.isActive || this.#options.isSending() ? livePauseMs : idlePauseMs, this.#failed);
  }
}
