import type { PlaybackReport } from '../../shared/model/live.ts';
import { putLast } from '../../shared/put-last.ts';
import { recentStallMs } from '../../shared/stalls.ts';
import type { Clock } from '../ports.ts';

/** A page that has been silent for longer is closed, or hidden and asleep. */
const maxAgeMs = 5_000;
/** More pages than anyone opens for one stream; limits memory if a page invents a new id each time. */
const maxPages = 32;
/** How long a player may take to start. */
export const settleMs = 5_000;

type PlaySums = Pick<PlaybackReport, 'stalls' | 'stalledSeconds' | 'droppedFrames' | 'decodedFrames'>;

/** The newest report of one page's monitor, and its sums over the last minute. */
export interface WatchedPlayback {
  /** Identifies the page. */
  pageId: string;
  report: PlaybackReport;
  recent: PlaySums;
  /** The page and the broadcast have both been running for long enough that the player should have started. */
  isStarted: boolean;
  /** Media has also arrived for that long without a pause, so that stalls are the player's. */
  isSettled: boolean;
}

interface Page {
  report: PlaybackReport;
  atMs: number;
  /** Since when the player could have started to play. */
  startedMs: number;
  /** When its sums began to count. */
  sinceMs: number;
  /** Its sums over the last minute, oldest first. */
  history: { atMs: number; sums: PlaySums }[];
}

/** The newest report of each page's monitor, by stream. Reports expire after 5 s. */
export class PlayReports {
  readonly #options: { clock: Pick<Clock, 'monotonicMs'>; onChange: (streamId: string) => void };
  readonly #byStreamId = new Map<string, Map<string, Page>>();

  constructor(options: { clock: Pick<Clock, 'monotonicMs'>; onChange: (streamId: string) => void }) {
    this.#options = options;
  }

  add(streamId: string, pageId: string, report: PlaybackReport): void {
    const { clock, onChange } = this.#options;
    const pages = this.#byStreamId.get(streamId) ?? new Map<string, Page>();
    if (report.state === 'closed') pages.delete(pageId);
    else putLast(pages, pageId, followPage(pages.get(pageId), report, clock.monotonicMs()), maxPages);
    if (pages.size === 0) this.#byStreamId.delete(streamId);
    else this.#byStreamId.set(streamId, pages);
    onChange(streamId);
  }

  /** No media arrives: whatever players do meanwhile doesn't count. */
  rest(streamId: string): void {
    const now = this.#options.clock.monotonicMs();
    this.ignoreStalls(streamId);
    for (const page of this.#byStreamId.get(streamId)?.values() ?? []) page.startedMs = now;
  }

  /** Media pauses: stalls don't count, but failures of players still do. */
  ignoreStalls(streamId: string): void {
    const now = this.#options.clock.monotonicMs();
    for (const page of this.#byStreamId.get(streamId)?.values() ?? []) {
      page.sinceMs = now;
      page.history = [];
    }
  }

  /** The current reports for a stream, newest last. */
  of(streamId: string): WatchedPlayback[] {
    const pages = this.#byStreamId.get(streamId);
    if (pages === undefined) return [];
    const now = this.#options.clock.monotonicMs();
    for (const [pageId, { atMs }] of pages) if (now - atMs > maxAgeMs) pages.delete(pageId);
    if (pages.size === 0) this.#byStreamId.delete(streamId);
    return [...pages].map(([pageId, page]) => ({ pageId, ...describePage(page, now) }));
  }
}

function followPage(known: Page | undefined, report: PlaybackReport, atMs: number): Page {
  // After a long silence the page was closed in between; falling sums belong to another broadcast.
  const isSame =
    known !== undefined &&
    atMs - known.atMs <= maxAgeMs &&
    report.stalls >= known.report.stalls &&
    report.decodedFrames >= known.report.decodedFrames;
  const sinceMs = isSame ? known.sinceMs : atMs;
  const startedMs = isSame ? known.startedMs : atMs;
  const entry = { atMs, sums: report };
  // Until playback has settled, later sums are measured from the newest ones.
  if (!isSame || atMs - sinceMs <= settleMs) return { report, atMs, startedMs, sinceMs, history: [entry] };
  // Keep the newest entry that is a minute old, since later ones are measured from it.
  const first = known.history.findLastIndex((each) => atMs - each.atMs >= recentStallMs);
  return { report, atMs, startedMs, sinceMs, history: [...known.history.slice(Math.max(first, 0)), entry].slice(-maxHistory) };
}

/** For pages that report more than once a second, the sums cover a shorter time. */
const maxHistory = 100;

function describePage({ report, startedMs, sinceMs, history }: Page, now: number): Omit<WatchedPlayback, 'pageId'> {
  const from = history[0]?.sums ?? report;
  return {
    report,
    recent: {
      stalls: report.stalls - from.stalls,
      stalledSeconds: Math.max(0, report.stalledSeconds - from.stalledSeconds),
      droppedFrames: Math.max(0, report.droppedFrames - from.droppedFrames),
      decodedFrames: report.decodedFrames - from.decodedFrames,
    },
    isStarted: now - startedMs > settleMs,
    isSettled: now - sinceMs > settleMs,
  };
}
