import type { PlaybackReport } from '../../shared/model/live.ts';
import { recentStallMs } from '../../shared/stalls.ts';
import type { Clock } from '../ports.ts';

/** A page that says no more is closed, or hidden and asleep. */
const maxAgeMs = 5_000;
/** More pages than anyone has open on one stream: a page that makes up a new id each time takes no memory. */
const maxPages = 32;
/** How long a player may take to start. */
const settleMs = 5_000;

type PlaySums = Pick<PlaybackReport, 'stalls' | 'stalledSeconds' | 'droppedFrames' | 'decodedFrames'>;

/** What one page's monitor sees now, and what it has seen in the last minute. */
export interface WatchedPlayback {
  /** Which page that is. */
  pageId: string;
  report: PlaybackReport;
  recent: PlaySums;
  /** The page and the broadcast have both been here for long enough that the picture should move. */
  isSettled: boolean;
}

interface Page {
  report: PlaybackReport;
  atMs: number;
  /** Since when what it sees counts. */
  sinceMs: number;
  /** Its sums of the last minute, oldest first. */
  history: { atMs: number; sums: PlaySums }[];
}

/** What the open pages' monitors see of each stream: the newest report of each page, for 5 s. */
export class PlayReports {
  readonly #options: { clock: Pick<Clock, 'monotonicMs'>; onChange: (streamId: string) => void };
  readonly #byStreamId = new Map<string, Map<string, Page>>();

  constructor(options: { clock: Pick<Clock, 'monotonicMs'>; onChange: (streamId: string) => void }) {
    this.#options = options;
  }

  add(streamId: string, pageId: string, report: PlaybackReport): void {
    const { clock, onChange } = this.#options;
    const pages = this.#byStreamId.get(streamId) ?? new Map<string, Page>();
    const known = pages.get(pageId);
    pages.delete(pageId);
    if (report.state !== 'closed') pages.set(pageId, followPage(known, report, clock.monotonicMs()));
    const oldest = pages.keys().next();
    if (pages.size > maxPages && !oldest.done) pages.delete(oldest.value);
    if (pages.size === 0) this.#byStreamId.delete(streamId);
    else this.#byStreamId.set(streamId, pages);
    onChange(streamId);
  }

  /** Nothing comes from the encoder: what pages saw until now says nothing about their playback. */
  rest(streamId: string): void {
    const now = this.#options.clock.monotonicMs();
    for (const page of this.#byStreamId.get(streamId)?.values() ?? []) {
      page.sinceMs = now;
      page.history = [];
    }
  }

  /** What is known now of a stream's playback, the newest last. */
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
  // One that is silent for long was closed; sums that fall are those of another broadcast.
  const isSame =
    known !== undefined &&
    atMs - known.atMs <= maxAgeMs &&
    report.stalls >= known.report.stalls &&
    report.decodedFrames >= known.report.decodedFrames;
  const sinceMs = isSame ? known.sinceMs : atMs;
  const entry = { atMs, sums: report };
  // Until it has settled, the newest sums are what later ones are measured from.
  if (!isSame || atMs - sinceMs <= settleMs) return { report, atMs, sinceMs, history: [entry] };
  // The newest entry that is a minute old stays: the others are measured from it.
  const first = known.history.findLastIndex((each) => atMs - each.atMs >= recentStallMs);
  return { report, atMs, sinceMs, history: [...known.history.slice(Math.max(first, 0)), entry].slice(-maxHistory) };
}

/** A page that reports more often than once a second is told of a shorter time. */
const maxHistory = 100;

function describePage({ report, sinceMs, history }: Page, now: number): Omit<WatchedPlayback, 'pageId'> {
  const from = history[0]?.sums ?? report;
  return {
    report,
    recent: {
      stalls: report.stalls - from.stalls,
      stalledSeconds: Math.max(0, report.stalledSeconds - from.stalledSeconds),
      droppedFrames: Math.max(0, report.droppedFrames - from.droppedFrames),
      decodedFrames: report.decodedFrames - from.decodedFrames,
    },
    isSettled: now - sinceMs > settleMs,
  };
}
