import type { PublisherIdentity, Refusal } from '../../shared/model/refusal.ts';
import type { PublisherTrace } from '../ingest/publish-gate.ts';
import { namePublisher } from './publisher-name.ts';
import { longestNextPauseMs } from './retry-pauses.ts';
import { isSamePublisher } from './same-publisher.ts';

/** How long a refusal is listed after the last try. */
const keptMs = 10 * 60_000;
/** The most per stream, and without a stream: a flood from many addresses pushes out the oldest. */
const mostKept = 20;

/** A refusal, whose it is, and the longest pause between two of its tries. */
interface Kept {
  refusal: Refusal;
  trace: PublisherTrace;
  longestPauseMs: number;
}

/** A publisher's try that was refused; without `streamId` its key belongs to no stream. */
export interface RefusedTry extends Pick<Refusal, 'reason'> {
  streamId?: string;
  publisher: PublisherTrace;
  /** Its readable name, if more is known than what it calls itself. */
  name?: string | undefined;
}

/**
 * The publishers that were refused lately, and why; stream keys are never kept. It reads no clock: times are those of
 * `Clock.monotonicMs`.
 */
export class Refusals {
  readonly #byStreamId = new Map<string | undefined, Kept[]>();
  readonly #changed = new Set<string | undefined>();
  #lastId = 0;

  /** A publisher that is refused repeatedly for the same reason is one refusal with a count; after a pause it is a new one. */
  add({ streamId, reason, publisher, name = namePublisher(publisher.software) }: RefusedTry, now: number): void {
    // Don't keep the publisher itself, which holds its connection.
    const trace = { software: publisher.software, remoteAddress: publisher.remoteAddress };
    const kept = this.#of(streamId);
    const last = kept.find((other) => other.refusal.reason.code === reason.code && isSamePublisher(other.trace, trace));
    const software = name ?? last?.refusal.software;
    const pauseMs = last === undefined ? 0 : now - last.refusal.lastAt;
    const known = last && pauseMs < longestNextPauseMs(last.longestPauseMs) ? last : undefined;
    const refusal: Refusal = {
      id: known?.refusal.id ?? ++this.#lastId,
      at: known?.refusal.at ?? now,
      lastAt: now,
      count: (known?.refusal.count ?? 0) + 1,
      reason,
      address: trace.remoteAddress,
      ...(software !== undefined && { software }),
    };
    const newest = { refusal, trace, longestPauseMs: known ? Math.max(known.longestPauseMs, pauseMs) : 0 };
    this.#keep(streamId, [newest, ...kept.filter((other) => other !== last)].slice(0, mostKept));
  }

  /** Newest first: those of the stream; with `foreign` also those whose key belongs to no stream. */
  list(streamId: string, { foreign }: { foreign: boolean }, now: number): Refusal[] {
    return [...this.#of(streamId), ...(foreign ? this.#of(undefined) : [])]
      .map(({ refusal }) => refusal)
      .filter(({ lastAt }) => now - lastAt < keptMs)
      .toSorted((a, b) => b.lastAt - a.lastAt);
  }

  /**
   * A publisher was admitted, so its earlier refusals no longer apply, except for its codec, which shows only later. A publisher
   * that was refused before it said what it is may have been this one.
   */
  admitted(streamId: string, publisher: PublisherTrace): void {
    this.#drop(streamId, ({ refusal }) => refusal.reason.code !== 'codec');
    this.#drop(undefined, ({ trace: { remoteAddress, software = publisher.software } }) =>
      isSamePublisher({ remoteAddress, software }, publisher),
    );
  }

  /** The publisher that took the stream over has told its name. */
  nameTaker(streamId: string, by: PublisherIdentity): void {
    const name = (kept: Kept): Kept =>
      kept.refusal.reason.code === 'in-use' ? { ...kept, refusal: { ...kept.refusal, reason: { code: 'in-use', by } } } : kept;
    this.#keep(streamId, this.#of(streamId).map(name));
  }

  /** Its media is on air. */
  onAir(streamId: string): void {
    this.#drop(streamId, ({ refusal }) => refusal.reason.code === 'codec');
  }

  /** The stream was deleted. */
  forget(streamId: string): void {
    this.#byStreamId.delete(streamId);
    this.#changed.delete(streamId);
  }

  /** The streams whose lists have changed since the last call; undefined means keys that belong to no stream. */
  takeChanged(now: number): (string | undefined)[] {
    for (const streamId of [...this.#byStreamId.keys()]) this.#drop(streamId, ({ refusal }) => now - refusal.lastAt >= keptMs);
    const changed = [...this.#changed];
    this.#changed.clear();
    return changed;
  }

  #of(streamId: string | undefined): readonly Kept[] {
    return this.#byStreamId.get(streamId) ?? [];
  }

  #drop(streamId: string | undefined, isPast: (kept: Kept) => boolean): void {
    const kept = this.#of(streamId);
    const left = kept.filter((each) => !isPast(each));
    if (left.length < kept.length) this.#keep(streamId, left);
  }

  #keep(streamId: string | undefined, refusals: Kept[]): void {
    if (refusals.length === 0) this.#byStreamId.delete(streamId);
    else this.#byStreamId.set(streamId, refusals);
    this.#changed.add(streamId);
  }
}
