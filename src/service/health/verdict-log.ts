import type { AirState, Severity } from '../../shared/model/live.ts';
import type { LogEvent } from '../../shared/model/log-line.ts';
import type { Verdict, VerdictCode } from '../../shared/model/verdict.ts';

/** A verdict that lasts this long gets a line when it begins and one when it ends; a shorter one gets a single line. */
const lastingMs = 2_000;
/** A verdict that returns within this time continues. */
const returnMs = 5_000;

/** Verdicts that are logged elsewhere, where they happen. */
const toldElsewhere: ReadonlySet<VerdictCode> = new Set<VerdictCode>([
  'good',
  'sound-only',
  'go-live-failed',
  'ingest-retry',
  'encoder-gone',
  'encoder-back',
  'slept',
  'upload-dropped',
  'picture-coarse',
  'renditions-shed',
  'no-renditions',
]);

/** While one of these lasts, nothing else can be judged. */
const ofAbsence: ReadonlySet<VerdictCode> = new Set<VerdictCode>(['ingest-retry', 'encoder-gone', 'encoder-back']);

interface Spell {
  verdict: Verdict;
  beganAtMs: number;
  /** When the verdict was first gone; undefined while it lasts. */
  overAtMs: number | undefined;
  /** When an encoder was lost meanwhile; undefined once it is seen again. */
  lostAtMs: number | undefined;
  isTold: boolean;
}

/** Logs when a stream's verdicts began and how long they lasted. Reads no clock: feed it about once a second. */
export class VerdictLog {
  readonly #note: (severity: Severity, event: LogEvent, atMs: number) => void;
  /** Spells by {@link keyOf}. */
  readonly #spells = new Map<string, Spell>();
  #isHeld = false;

  /** @param note logs an event that happened at `atMs`, in the past: only time tells whether a verdict lasts or has ended */
  constructor(note: (severity: Severity, event: LogEvent, atMs: number) => void) {
    this.#note = note;
  }

  /**
   * @param verdict the current verdict, see {@link verdictToLog}; undefined once the broadcast is over, which ends all of them
   * @param troubles everything currently wrong: a trouble that is hidden by a worse one continues
   * @param sinceMs since when the verdict has been true, which may be before that was noticed
   */
  feed(verdict: Verdict | undefined, troubles: readonly Verdict[], nowMs: number, sinceMs = nowMs): void {
    if (verdict && !toldElsewhere.has(verdict.code)) {
      const key = keyOf(verdict);
      const spell = this.#spells.get(key) ?? {
        verdict,
        beganAtMs: sinceMs,
        overAtMs: undefined,
        lostAtMs: undefined,
        isTold: false,
      };
      spell.overAtMs = undefined;
      this.#spells.set(key, spell);
      this.#tellOnceItLasts(spell, nowMs);
    }
    if (verdict && isOfAbsence(verdict)) {
      this.#hold(nowMs);
      return;
    }
    this.#isHeld = false;
    const current = new Set([...(verdict ? [verdict] : []), ...troubles].map(keyOf));
    for (const [key, spell] of this.#spells) {
      if (current.has(key)) {
        spell.overAtMs = undefined;
        spell.lostAtMs = undefined;
        this.#tellOnceItLasts(spell, nowMs);
        continue;
      }
      const isCut = verdict === undefined && spell.overAtMs === undefined;
      spell.overAtMs ??= nowMs;
      if (verdict !== undefined && nowMs - spell.overAtMs < returnMs) continue;
      this.#finish(key, spell, spell.lostAtMs ?? spell.overAtMs, isCut);
    }
  }

  #tellOnceItLasts(spell: Spell, nowMs: number): void {
    if (spell.isTold || nowMs - spell.beganAtMs < lastingMs) return;
    spell.isTold = true;
    this.#note(spell.verdict.severity, { code: 'trouble-began', verdict: spell.verdict }, spell.beganAtMs);
  }

  /**
   * When an encoder is lost, holds its troubles until it is back: those that are gone by then ended with the loss. Only the
   * absence of media continues.
   */
  #hold(nowMs: number): void {
    if (this.#isHeld) return;
    this.#isHeld = true;
    for (const [key, spell] of this.#spells) {
      const { code } = spell.verdict;
      if (code === 'nothing-arrives' || code === 'nothing-plays') continue;
      if (!spell.isTold || spell.overAtMs !== undefined) this.#finish(key, spell, spell.lostAtMs ?? spell.overAtMs ?? nowMs);
      else spell.lostAtMs = nowMs;
    }
  }

  /** @param isCut it lasted until the broadcast was over, which is no good news */
  #finish(key: string, { verdict, beganAtMs, isTold }: Spell, overAtMs: number, isCut = false): void {
    this.#spells.delete(key);
    const afterMs = Math.max(1_000, overAtMs - beganAtMs);
    if (isTold && !isCut) this.#note('good', { code: 'trouble-ended', verdict, afterMs }, overAtMs);
    else this.#note(verdict.severity, { code: 'trouble-passed', verdict, afterMs }, isTold ? overAtMs : beganAtMs);
  }
}

/** The verdict for the log: before a broadcast is on air, none is shown while nothing is wrong, but earlier troubles are over. */
export function verdictToLog(verdict: Verdict | undefined, air: AirState): Verdict | undefined {
  return verdict ?? (air.kind === 'connecting' ? { code: 'good', severity: 'good' } : undefined);
}

function isOfAbsence(verdict: Verdict): boolean {
  return ofAbsence.has(verdict.code) || ('isBack' in verdict && verdict.isBack);
}

/**
 * The key of a verdict, the same for verdicts on one trouble whatever their numbers: each part of our own source has its own, and
 * a slower source is another trouble than dropped frames.
 */
function keyOf(verdict: Verdict): string {
  if (verdict.code === 'frames-missing' && verdict.isSlower) return `${verdict.code}, slower`;
  if (!('away' in verdict)) return verdict.code;
  const { part, input, name, fault } = verdict.away;
  return JSON.stringify([verdict.code, part, input, name, fault.code]);
}
