import type { EndReason } from '../../shared/model/live.ts';
import {
  type CounterDeltas,
  counters,
  type NextSequences,
  type SessionLengths,
  type SessionTable,
} from '../store/session-table.ts';
import type { StreamRow } from '../store/stream-table.ts';
import type { WaitingChanges, WriteRow } from '../store/waiting-changes.ts';
import { isLoss } from './end-cause.ts';

/** A session that is not stored yet. `row` is its future row; undefined if its stream could not be read. */
interface BegunSession {
  id: string;
  parentId: string;
  at: number;
  row: StreamRow | undefined;
}

/** The end of a session, as stored. */
interface StoredEnd extends SessionLengths {
  at: number;
  reason: EndReason;
  by: string | undefined;
}

interface Options {
  isActive: (id: string) => boolean;
  /**
   * What an earlier run left active has been repaired, possibly long after the start: this many streams and sessions, among them these
   * streams with a session that is lost now.
   */
  onHealed: (repair: { healed: number; lostStreamIds: readonly string[] }) => void;
}

/** The changes by broadcasts that are not stored yet: begun and ended sessions, and counters. */
export class UnwrittenSessions implements WaitingChanges {
  readonly #table: SessionTable;
  readonly #isActive: (id: string) => boolean;
  readonly #onHealed: Options['onHealed'];
  #toHeal = true;
  /** Oldest first. */
  readonly #begun = new Map<string, BegunSession>();
  readonly #deltas = new Map<string, CounterDeltas>();
  readonly #sequences = new Map<string, NextSequences>();
  readonly #ended = new Map<string, StoredEnd>();
  /** The session that each stream has lost, up to date; below, the changes that are not stored. */
  #lost: Map<string, string>;
  readonly #unwrittenLost = new Map<string, string | null>();
  #healed = 0;

  constructor(table: SessionTable, options: Options) {
    this.#table = table;
    this.#isActive = options.isActive;
    this.#onHealed = options.onHealed;
    this.#lost = new Map(table.listLost());
  }

  begin(session: BegunSession): void {
    this.#begun.set(session.id, session);
    for (const id of [session.id, session.parentId]) this.add(id, { lastSeen: session.at });
    // Until the repair it is unknown which sessions an earlier run left open.
    if (this.#toHeal || this.#lost.has(session.parentId)) this.setLost(session.parentId, null);
  }

  add(id: string, { lastSeen, lastedMs = 0, ...deltas }: Partial<CounterDeltas>): void {
    const sum = this.#deltas.get(id) ?? emptyDeltas();
    // The newest report counts: the wall clock may have been set back.
    if (lastSeen !== undefined) sum.lastSeen = lastSeen;
    sum.lastedMs = lastedMs || sum.lastedMs;
    for (const counter of counters) sum[counter] += deltas[counter] ?? 0;
    this.#deltas.set(id, sum);
  }

  setNextSequences(streamId: string, next: NextSequences): void {
    this.#sequences.set(streamId, next);
  }

  end(sessionId: string, streamId: string, end: StoredEnd): void {
    this.#ended.set(sessionId, end);
    for (const id of [sessionId, streamId]) this.add(id, {});
    if (isLoss(end.reason)) this.setLost(streamId, sessionId);
  }

  setLost(streamId: string, sessionId: string | null): void {
    this.#unwrittenLost.set(streamId, sessionId);
    if (sessionId === null) this.#lost.delete(streamId);
    else this.#lost.set(streamId, sessionId);
  }

  findLost(streamId: string): string | undefined {
    return this.#lost.get(streamId);
  }

  /** The next number after those of stored and unwritten streams and sessions. */
  nextSeq(): number {
    return this.#table.nextSeq() + this.#begun.size;
  }

  /** The numbers of the stream's next segment, if they are not stored yet. */
  findNextSequences(streamId: string): NextSequences | undefined {
    return this.#sequences.get(streamId);
  }

  /** A session that is not stored yet, as it was when it began. */
  findBegun(id: string): StreamRow | undefined {
    return this.#begun.get(id)?.row;
  }

  /** Sessions that are not stored yet, as they were when they began, newest first. */
  listBegun(): StreamRow[] {
    return [...this.#begun.values()].flatMap(({ row }) => row ?? []).reverse();
  }

  /** The row of a stored or unwritten session, with unwritten changes applied. */
  addTo(row: StreamRow): StreamRow {
    const sum = this.#deltas.get(row.id);
    const end = this.#ended.get(row.id);
    if (sum === undefined && end === undefined) return row;
    const { lastSeen, lastedMs, ...deltas } = sum ?? emptyDeltas();
    const added: StreamRow = {
      ...row,
      lastSeen: lastSeen || row.lastSeen,
      lastedMs: lastedMs || row.lastedMs,
      ...(end !== undefined && {
        endedAt: end.at,
        endReason: end.reason,
        endedBy: end.by ?? null,
        lastedMs: end.lastedMs,
        goneMs: end.goneMs,
      }),
    };
    for (const counter of counters) added[counter] += deltas[counter];
    return added;
  }

  get count(): number {
    return Number(this.#toHeal) + this.#begun.size + this.#deltas.size + this.#ended.size + this.#unwrittenLost.size;
  }

  write(write: WriteRow): void {
    // Repair the sessions that an earlier run left open, before this run writes anything.
    if (this.#toHeal) {
      write('what an earlier run left active', () => {
        this.#healed = this.#table.healActive('service-crashed' satisfies EndReason);
      });
    }
    for (const { row, ...session } of this.#begun.values()) {
      write({ begun: session }, () => this.#table.begin({ ...session, seq: row?.seq }));
    }
    for (const [id, deltas] of this.#deltas) {
      write({ counted: { id, ...deltas } }, () => this.#table.add(id, deltas, this.#isActive(id)));
    }
    for (const [streamId, next] of this.#sequences) {
      write({ sequences: { streamId, ...next } }, () => this.#table.setNextSequences(streamId, next));
    }
    for (const [id, end] of this.#ended) write({ ended: { id, ...end } }, () => this.#table.end({ id, ...end }));
    for (const [streamId, sessionId] of this.#unwrittenLost) {
      write({ lost: { streamId, sessionId } }, () => this.#table.setLost(streamId, sessionId));
    }
  }

  written(): void {
    for (const waiting of [this.#begun, this.#deltas, this.#sequences, this.#ended, this.#unwrittenLost]) waiting.clear();
    if (!this.#toHeal) return;
    this.#toHeal = false;
    this.#noteRepair();
  }

  /** Sessions that the last run left open are lost too. */
  #noteRepair(): void {
    const before = this.#lost;
    this.#lost = new Map(this.#table.listLost());
    const lost = [...this.#lost].filter(([streamId, sessionId]) => before.get(streamId) !== sessionId);
    if (this.#healed > 0) this.#onHealed({ healed: this.#healed, lostStreamIds: lost.map(([streamId]) => streamId) });
  }

  describe(): unknown {
    const begun = [...this.#begun.values()].map(({ id, parentId, at }) => ({ id, streamId: parentId, at }));
    return { begun, counted: Object.fromEntries(this.#deltas), ended: Object.fromEntries(this.#ended) };
  }
}

function emptyDeltas(): CounterDeltas {
  return { lastSeen: 0, lastedMs: 0, sourceSegments: 0, sourceDurationUs: 0, transcodedSegments: 0, transcodedDurationUs: 0 };
}
