import { keepRunning } from '../../shared/keep-running.ts';
import type { Connection, ConnectionState, ContractClient } from '../client/connection.ts';
import { describeFailure, type Failure, unreachedCode } from '../client/failure.ts';

/** The current state of a value that arrives as events. */
export type LiveSnapshot<T> =
  | { kind: 'waiting' }
  /**
   * `refused`: the service answers, but can't tell it any more, so it is from before. `unreadSinceMs`: contact was lost then, in epoch
   * milliseconds of the page's clock, and it hasn't been read since, though contact may be back.
   */
  | { kind: 'known'; value: T; refused?: Refused; unreadSinceMs?: number }
  | { kind: 'failed'; failure: Failure };

/** Why a known value isn't current, and since when, in epoch milliseconds of the page's clock. */
export interface Refused {
  failure: Failure;
  sinceMs: number;
}

/** A value the service keeps current while somebody listens. */
export interface LiveValue<T> {
  get(): LiveSnapshot<T>;
  /** The first listener opens the events, the last one to leave cancels them; returns the undo. */
  subscribe(listener: () => void): () => void;
}

/** Opens the events of one value over the contract. */
export type OpenEvents<T> = (client: ContractClient, signal: AbortSignal) => Promise<AsyncIterable<T>>;

const finalCodes = new Set(['NOT_FOUND', 'FORBIDDEN', 'UNAUTHORIZED']);
/** Our service answers, but the remote one that has the value doesn't: this is shown, and retried less often. */
const elsewhereCode = 'REMOTE_FAILED';

export interface LiveValueOptions<T> {
  retryMs?: number;
  elsewhereRetryMs?: number;
  /** Whether a refusal by the service is a failure at once, although it is retried. */
  tellsRefusals?: boolean;
  /** What is shown of a known value that the service can't tell any more; without it, the value itself. */
  asRefused?: (value: T) => T;
  /** How long what was known before the last listener left is shown again: later it may be quite another. */
  keptMs?: number;
}

/**
 * A live value over `connection`. Its events reopen whenever the connection does, and it keeps its last value meanwhile, and for a moment
 * while nobody listens. It holds one value, no history.
 */
export function createLiveValue<T>(
  connection: Connection,
  open: OpenEvents<T>,
  {
    retryMs = 1_000,
    elsewhereRetryMs = 5_000,
    tellsRefusals = false,
    asRefused = (value) => value,
    keptMs = 1_000,
  }: LiveValueOptions<T> = {},
): LiveValue<T> {
  const listeners = new Set<() => void>();
  let snapshot: LiveSnapshot<T> = { kind: 'waiting' };
  let running: AbortController | undefined;
  let leftAtMs = Number.NEGATIVE_INFINITY;
  /** When the first refusal since the last value came. */
  let refusedSinceMs: number | undefined;

  const isOld = () => running === undefined && snapshot.kind !== 'waiting' && performance.now() - leftAtMs > keptMs;
  const set = (next: LiveSnapshot<T>) => {
    snapshot = next;
    for (const listener of [...listeners]) listener();
  };

  /** Follows the value until its events end; resolves with why, and with the state of the connection before. */
  const follow = async (left: AbortSignal) => {
    markUnread();
    await untilOpen(connection, left);
    const state = connection.state();
    if (left.aborted) return { state };
    const contact = new AbortController();
    const undo = connection.onChange(() => {
      markUnread();
      // The app's port stays open when contact is lost: without new events, nothing would tell that the value is still the same.
      if (connection.state().kind === 'open') contact.abort();
    });
    const signal = AbortSignal.any([left, contact.signal]);
    try {
      for await (const value of await open(connection.client, signal)) {
        // What was under way when contact was lost is from before.
        if (signal.aborted || connection.state() !== state) break;
        refusedSinceMs = undefined;
        set({ kind: 'known', value });
      }
      return { state };
    } catch (error) {
      return { state, failure: describeFailure(error) };
    } finally {
      undo();
    }
  };
  const markUnread = () => {
    const state = connection.state();
    if (snapshot.kind !== 'known' || snapshot.unreadSinceMs !== undefined) return;
    if (state.kind === 'lost' || state.kind === 'refused') set({ ...snapshot, unreadSinceMs: state.sinceMs });
  };
  /** The page shows elsewhere that the service didn't answer. */
  const tell = (failure: Failure) => {
    if (failure.code === unreachedCode) return;
    if (tellsRefusals || isFinal(failure) || failure.code === elsewhereCode) return set({ kind: 'failed', failure });
    if (refusedSinceMs === undefined) {
      // It may pass by itself: only the next one is shown.
      refusedSinceMs = Date.now();
      return;
    }
    if (snapshot.kind !== 'known') return set({ kind: 'failed', failure });
    const value = snapshot.refused === undefined ? asRefused(snapshot.value) : snapshot.value;
    set({ kind: 'known', value, refused: { failure, sinceMs: refusedSinceMs } });
  };
  const nextAfterMs = ({ state, failure }: { state: ConnectionState; failure?: Failure }) => {
    if (failure !== undefined) tell(failure);
    if (failure !== undefined && isFinal(failure)) return undefined;
    if (failure?.code === elsewhereCode) return elsewhereRetryMs;
    // If the connection has already come back, there is nothing to wait for.
    return connection.state() === state ? retryMs : 0;
  };

  return {
    get() {
      if (isOld()) snapshot = { kind: 'waiting' };
      return snapshot;
    },
    subscribe(listener) {
      listeners.add(listener);
      if (running === undefined) {
        if (snapshot.kind === 'failed' || isOld()) snapshot = { kind: 'waiting' };
        running = new AbortController();
        void keepRunning(follow, { signal: running.signal, nextAfterMs, onWake: (wake) => connection.onChange(wake) });
      }
      return () => {
        listeners.delete(listener);
        if (listeners.size > 0) return;
        running?.abort();
        running = undefined;
        leftAtMs = performance.now();
      };
    },
  };
}

/** Whether asking again would give the same answer, so that nobody does. */
export function isFinal({ code }: Failure): boolean {
  return finalCodes.has(code);
}

function untilOpen(connection: Connection, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const settle = () => {
      if (connection.state().kind !== 'open' && !signal.aborted) return;
      undo();
      signal.removeEventListener('abort', settle);
      resolve();
    };
    const undo = connection.onChange(settle);
    signal.addEventListener('abort', settle);
    settle();
  });
}
