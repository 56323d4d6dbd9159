import { isDeepStrictEqual } from 'node:util';
import type { IngestFailure } from '../../shared/model/ingest-failure.ts';
import type { LogEventOf } from '../../shared/model/log-line.ts';
import { pause } from '../../shared/pause.ts';
import { runHarmlessly } from '../lib/faults.ts';
import type { Clock } from '../ports.ts';
import type { MediaPublisher } from '../publishing/media-publisher.ts';
import { PublishError } from '../publishing/publish-error.ts';
import { wasSteady } from '../publishing/steady-connection.ts';

/** A region that a broadcast can be sent to. Ingest and playback are always of the same one. */
export interface RouteRegion {
  code: string;
  ingest: string;
  playback: string;
}

/** Events between a broadcast and its regions. */
export type RegionEvent = LogEventOf<'region-failed' | 'region-changed' | 'region-refused'>;

/**
 * An attempt to publish to a region. `wasAccepted`: the region took this broadcast before, and may still hold the lost
 * connection.
 */
export interface PublishAttempt {
  signal: AbortSignal;
  wasAccepted: boolean;
}

export interface RegionRouteOptions<Region extends RouteRegion> {
  /** The region to begin with. */
  choose: () => Promise<Region>;
  /** All regions. */
  list: () => readonly Region[];
  /** A region as it is now, since its URLs may change during the broadcast; undefined to leave it as it is. */
  findNow?: (region: Region) => Region | undefined;
  /**
   * The region that gave the stream its key: the broadcast begins there if its first region doesn't have the stream. Undefined if
   * unknown.
   */
  findIssuer?: () => Promise<Region | undefined>;
  /** Measures all regions again, and returns those that can be reached, the nearest first. */
  findReachable: () => Promise<readonly Region[]>;
  publish: (region: Region, attempt: PublishAttempt) => Promise<MediaPublisher>;
  /** Whether the broadcast may change to this region, which was just reached, without asking. */
  mayChange: (next: Region) => boolean;
  clock: Pick<Clock, 'monotonicMs'>;
  /** Lets the upload try again at once. */
  retry: () => void;
  /** {@link RegionRoute.region} or {@link RegionRoute.offer} has changed. */
  onChange: () => void;
  onEvent: (event: RegionEvent) => void;
  /** How long a region that was lost may take to come back. */
  patienceMs?: number;
}

/** Longer than a server needs to restart or a network to settle, since a change is one for viewers, too. */
const defaultPatienceMs = 5_000;
/** A region has failed after this many failed attempts in a row: the first may have met the end of a brief outage. */
const failedAttempts = 2;

/**
 * Decides which region one broadcast is sent to. It begins in one region, and stays there while it can. If that fails, the next
 * nearest is offered, or taken if the user allows it. A region fails if it can't be reached any more, or if two attempts in a row
 * fail or are soon lost. If a region refuses us after a change, the broadcast leaves it, and keeps trying where it was, or where
 * it began. If the first region doesn't have the stream, the broadcast begins in the region that gave the stream its key. Single
 * use.
 */
export class RegionRoute<Region extends RouteRegion> {
  readonly #options: RegionRouteOptions<Region>;
  #region: Region | undefined;
  #offer: Region | undefined;
  /** The region to return to: the last one that took our media, or else the first. */
  #home: Region | undefined;
  #isProven = false;
  #hasChanged = false;
  readonly #accepted = new Set<string>();
  readonly #refused = new Set<string>();
  #isOpen = false;
  /** Attempts in a row that failed in this region, or whose connection was soon lost, and why the last one did. */
  #failures: { count: number; last: IngestFailure | undefined } = { count: 0, last: undefined };
  #attempt: AbortController | undefined;
  #isSearching = false;
  readonly #abort = new AbortController();

  constructor(options: RegionRouteOptions<Region>) {
    this.#options = options;
  }

  /** The region that the broadcast is sent to; undefined before the first connection. */
  get region(): Region | undefined {
    return this.#region;
  }

  /** The next nearest region, while the current one has failed and nobody has decided. */
  get offer(): Region | undefined {
    return this.#isOpen ? undefined : this.#offer;
  }

  /**
   * Opens a connection to the region's ingest, or to another region's if the route changes meanwhile.
   *
   * @throws {PublishError} of kind `refused` only if the last region that took our media refuses it, or the first region before
   * any change, or every region. An `AbortError` once the route is closed
   */
  async connect(signal: AbortSignal): Promise<MediaPublisher> {
    while (true) {
      const region = this.#region === undefined ? await this.#begin() : this.#renew(this.#region);
      signal.throwIfAborted();
      const attempt = new AbortController();
      this.#attempt = attempt;
      try {
        const publisher = await this.#options.publish(region, {
          signal: AbortSignal.any([signal, attempt.signal]),
          wasAccepted: this.#accepted.has(region.code),
        });
        if (!attempt.signal.aborted) {
          this.#opened(region, publisher);
          return publisher;
        }
        await publisher.close();
      } catch (error) {
        if (signal.aborted) throw error;
        const hasLeft = attempt.signal.aborted || (await this.#leaveForIssuer(region, error));
        // The route may have changed in the meantime.
        if (!hasLeft && !attempt.signal.aborted) throw this.#failed(region, error);
      } finally {
        this.#attempt = undefined;
      }
    }
  }

  /** The broadcast is over: stops looking for regions. */
  close(): void {
    this.#abort.abort();
  }

  /** Takes this region if it is the one that is offered. Returns whether the broadcast goes there now. */
  takeOffer(code: string): boolean {
    const { offer } = this;
    if (offer?.code === code && !this.#abort.signal.aborted) this.#changeTo(offer, false);
    return this.#region?.code === code;
  }

  async #begin(): Promise<Region> {
    const chosen = await this.#options.choose();
    this.#abort.signal.throwIfAborted();
    this.#region = chosen;
    this.#home = this.#region;
    this.#options.onChange();
    return this.#region;
  }

  #renew(region: Region): Region {
    const now = this.#options.findNow?.(region);
    if (now === undefined || isDeepStrictEqual(now, region)) return region;
    this.#region = now;
    this.#options.onChange();
    return now;
  }

  #opened(region: Region, publisher: MediaPublisher): void {
    this.#isOpen = true;
    this.#home = region;
    this.#isProven = true;
    this.#accepted.add(region.code);
    this.#refused.delete(region.code);
    this.#options.onChange();
    const { clock } = this.#options;
    const openSinceMs = clock.monotonicMs();
    const watchEnd = async () => {
      const end = await publisher.closed;
      this.#isOpen = false;
      if (end.kind === 'lost') this.#lost(region, end.failure, wasSteady(openSinceMs, clock.monotonicMs()));
      else this.#offer = undefined;
    };
    runHarmlessly(watchEnd, 'watching a connection to a region');
  }

  /** A region that takes our media and soon drops it doesn't work, either. */
  #lost(region: Region, failure: IngestFailure, isNewProblem: boolean): void {
    this.#failures = { count: isNewProblem ? 0 : this.#failures.count + 1, last: failure };
    if (isNewProblem) this.#offer = undefined;
    // An offer that was hidden while the connection lasted shows again.
    else if (this.#offer !== undefined) this.#options.onChange();
    this.#search(region);
  }

  /** Begins again in the region that gave the stream its key, if the first region doesn't have it. Returns whether it did. */
  async #leaveForIssuer(from: Region, error: unknown): Promise<boolean> {
    if (!(error instanceof PublishError) || error.failure.code !== 'stream-unknown') return false;
    if (this.#isProven || this.#hasChanged) return false;
    const issuer = await this.#options.findIssuer?.();
    if (issuer === undefined || issuer.code === from.code) return false;
    this.#refused.add(from.code);
    // The route may have changed in the meantime.
    if (this.#region?.code !== from.code) return true;
    this.#home = issuer;
    this.#moveTo(issuer, { code: 'region-refused', region: from.code, back: issuer.code, failure: error.failure });
    return true;
  }

  /** Handles a failed attempt; returns the error for the upload. */
  #failed(region: Region, error: unknown): unknown {
    if (!(error instanceof PublishError)) return error;
    const { failure } = error;
    if (error.kind === 'refused') return this.#isFinal(region) ? error : this.#leaveRefused(region, error);
    this.#failures = { count: this.#failures.count + 1, last: failure };
    this.#search(region);
    return error;
  }

  /** Whether a region's refusal ends the broadcast. */
  #isFinal(region: Region): boolean {
    const isHome = this.#home?.code === region.code;
    if (isHome && (this.#isProven || !this.#hasChanged)) return true;
    this.#refused.add(region.code);
    return [this.#home, ...this.#options.list()].every((each) => each === undefined || this.#refused.has(each.code));
  }

  /**
   * A region refuses us: it isn't offered again, and the broadcast keeps trying where it was before, or where it began. If that
   * region refuses us, too, the broadcast stays there until another region can be reached.
   */
  #leaveRefused(from: Region, error: PublishError): PublishError {
    const { failure } = error;
    const home = this.#home ?? from;
    this.#region = home;
    this.#failures = { count: failedAttempts, last: failure };
    if (home.code !== from.code) {
      this.#offer = undefined;
      this.#options.onEvent({ code: 'region-refused', region: from.code, back: home.code, failure });
      this.#options.onChange();
    }
    this.#search(home);
    return new PublishError('lost', failure, { cause: error });
  }

  /**
   * Finds out in the background whether the region has failed, and which is the next nearest. A region that took our media may
   * come back first.
   */
  #search(region: Region): void {
    if (this.#isSearching) return;
    this.#isSearching = true;
    const search = async () => {
      try {
        const { patienceMs = defaultPatienceMs } = this.#options;
        if (this.#isProven && this.#home?.code === region.code) await pause(patienceMs, this.#abort.signal);
        if (this.#isOpen || this.#abort.signal.aborted) return;
        const reachable = await this.#options.findReachable();
        // The region may be back, or the broadcast may have left it, in the meantime.
        if (this.#isOpen || this.#region?.code !== region.code || this.#abort.signal.aborted) return;
        const isUnreachable = !reachable.some(({ code }) => code === region.code);
        if (isUnreachable || this.#failures.count >= failedAttempts) this.#replace(region, reachable);
        // These failures say nothing about the region once it is back.
        if (isUnreachable) this.#failures.count = 0;
      } finally {
        this.#isSearching = false;
      }
    };
    runHarmlessly(search, 'looking for another region');
  }

  #replace(failed: Region, reachable: readonly Region[]): void {
    const next = reachable.find(({ code }) => code !== failed.code && !this.#refused.has(code));
    if (next === undefined) return;
    const mayChange = this.#options.mayChange(next);
    const isOffered = next.code === this.#offer?.code;
    if (isOffered && !mayChange) return;
    const { last } = this.#failures;
    if (!isOffered) {
      this.#options.onEvent({
        code: 'region-failed',
        region: failed.code,
        next: next.code,
        isOffer: !mayChange,
        failure: last,
      });
    }
    if (mayChange) {
      this.#changeTo(next, true);
      return;
    }
    this.#offer = next;
    this.#options.onChange();
  }

  #changeTo(next: Region, isAutomatic: boolean): void {
    const from = this.#region;
    if (from === undefined) return;
    this.#hasChanged = true;
    this.#moveTo(next, { code: 'region-changed', from: from.code, to: next.code, isAutomatic });
    // The attempt in the old region may wait for seconds.
    this.#attempt?.abort();
    if (this.#attempt === undefined) this.#options.retry();
  }

  /** From now on the broadcast is sent to this region, where nothing has failed yet. */
  #moveTo(region: Region, event: RegionEvent): void {
    this.#region = region;
    this.#offer = undefined;
    this.#failures = { count: 0, last: undefined };
    this.#options.onEvent(event);
    this.#options.onChange();
  }
}
