import { createEventSource } from '../lib/event-source.ts';
import { SharedPoll } from '../lib/shared-poll.ts';
import type { Clock } from '../ports.ts';
import { type PollFailure, pollPauseMs } from './poll-pause.ts';
import type { AnsweredStream } from './remote-answers.ts';
import type { RemoteApi } from './remote-api.ts';
import { RemoteError, readRemoteFailure } from './remote-error.ts';
import { toOurTime } from './remote-view.ts';

/** The pause between two polls of the whole list. */
const pauseMs = 5_000;

/** A running broadcast. `since` is in epoch milliseconds of our clock. */
interface ListedBroadcast {
  since: number;
  sessionId: string;
}

/** All streams of a remote service, polled while somebody needs them. */
export class RemoteList {
  readonly #options: { api: () => RemoteApi; clock: Pick<Clock, 'now'> };
  readonly #changes = createEventSource<void>();
  readonly #poll = new SharedPoll({
    read: (isOvertaken) => this.#read(isOvertaken),
    pauseMs: () => pollPauseMs(pauseMs, this.#failure),
  });
  #streams: AnsweredStream[] | undefined;
  #onAir: ReadonlyMap<string, ListedBroadcast> = new Map();
  #failure: PollFailure | undefined;

  constructor(options: { api: () => RemoteApi; clock: Pick<Clock, 'now'> }) {
    this.#options = options;
  }

  /** Newest first; undefined until the service has answered. */
  get streams(): readonly AnsweredStream[] | undefined {
    return this.#streams;
  }

  find(id: string): AnsweredStream | undefined {
    return this.#streams?.find((stream) => stream.id === id);
  }

  /** Why the last poll failed. */
  get error(): RemoteError | undefined {
    return this.#failure && new RemoteError(this.#failure.failure);
  }

  /** An answer, or a failure, has arrived. */
  get onChange() {
    return this.#changes.on;
  }

  /** The running broadcast of an active stream. */
  findOnAir(id: string): ListedBroadcast {
    return this.#onAir.get(id) ?? { since: this.#options.clock.now(), sessionId: id };
  }

  /** Polls until the returned undo is called. Answers from before the last watcher left are too old to show. */
  need(): () => void {
    if (!this.#poll.isNeeded) {
      this.#streams = undefined;
      this.#onAir = new Map();
    }
    return this.#poll.need();
  }

  nextRead(): Promise<void> {
    return this.#poll.nextRead();
  }

  readSoon(): void {
    this.#poll.wake();
  }

  async #read(isOvertaken: () => boolean): Promise<void> {
    try {
      const api = this.#options.api();
      const { streams, onAir } = await api.poll(async () => {
        const streams = await api.listStreams();
        return { streams, onAir: await this.#readOnAir(api, streams) };
      });
      if (isOvertaken()) return;
      this.#onAir = onAir;
      this.#streams = streams;
      this.#failure = undefined;
    } catch (error) {
      if (isOvertaken()) return;
      this.#failure = { failure: readRemoteFailure(error), count: (this.#failure?.count ?? 0) + 1 };
    }
    this.#changes.emit();
  }

  /** When each active stream's broadcast began or, if the service doesn't list broadcasts, was first seen. */
  async #readOnAir(api: RemoteApi, streams: readonly AnsweredStream[]): Promise<Map<string, ListedBroadcast>> {
    const active = streams.filter(({ isActive }) => isActive);
    const onAir = new Map(active.map(({ id }) => [id, this.findOnAir(id)]));
    if (active.length === 0) return onAir;
    try {
      // A service may call several broadcasts of a stream active for a while. The newest counts: it is listed first.
      for (const { parentId, id, createdAt } of (await api.listActiveSessions()).reverse()) {
        onAir.set(parentId, { since: toOurTime(createdAt, api.clockAheadMs), sessionId: id });
      }
    } catch (error) {
      // The interface's description doesn't have this query.
      if (readRemoteFailure(error).code !== 'refused') throw error;
    }
    return onAir;
  }
}
