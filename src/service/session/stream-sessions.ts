import { assertNever } from '../../shared/assert-never.ts';
import type { Severity } from '../../shared/model/live.ts';
import type { LogEvent } from '../../shared/model/log-line.ts';
import type { PackagedSegment } from '../hls/packaged-segment.ts';
import { timeOfDay } from '../lib/system-clock.ts';
import { isLoss } from '../streams/end-cause.ts';
import { type AirChange, type AirEvent, type AirPhase, stepAir } from './air-machine.ts';
import { LiveSession } from './live-session.ts';
import type { LiveStreamOptions } from './live-stream-options.ts';
import type { StreamMedia } from './stream-media.ts';

export interface StreamSessionsOptions
  extends Pick<LiveStreamOptions, 'streamId' | 'ledger' | 'clock' | 'profiles' | 'onChange'> {
  media: StreamMedia;
  /** A session begins with its first segment: returns how long after its publisher connected, in milliseconds. */
  onBegin: () => number;
  /** Adds a line to the stream's log. */
  note: (severity: Severity, event: LogEvent) => void;
}

/** The sessions of a stream, one after another: steps its air machine, and begins and ends sessions accordingly. */
export class StreamSessions {
  readonly #options: StreamSessionsOptions;
  #phase: AirPhase = { kind: 'off-air' };
  #session: LiveSession;
  #draining: Promise<void> = Promise.resolve();
  #sessionEndedAt: number | undefined;

  constructor(options: StreamSessionsOptions) {
    this.#options = options;
    this.#session = this.#start();
  }

  get phase(): AirPhase {
    return this.#phase;
  }

  /** The running session, or else the last one. */
  get current(): LiveSession {
    return this.#session;
  }

  /** The running session's id. */
  get sessionId(): string | undefined {
    return this.#phase.kind === 'on-air' || this.#phase.kind === 'reconnecting' ? this.#session.sessionId : undefined;
  }

  /** When the last session that had begun ended, by `Clock.monotonicMs`; those that never begin change nothing. */
  get sessionEndedAt(): number | undefined {
    return this.#sessionEndedAt;
  }

  /** Resolves when the renditions of every session that has ended are done. */
  get drained(): Promise<void> {
    return this.#draining;
  }

  /** The session that a new publisher's media belongs to; off air, a session that hasn't begun. */
  takeCurrent(): LiveSession {
    if (this.#phase.kind === 'off-air') this.#session = this.#start();
    return this.#session;
  }

  /** Steps the air machine, and acts on the changes. */
  move(event: AirEvent): void {
    const { phase, changes } = stepAir(this.#phase, event, this.#options.clock.monotonicMs());
    this.#phase = phase;
    for (const change of changes) this.#follow(change);
  }

  /** A segment of the source that plays; `arrivedMs` is when its media arrived, by `Clock.monotonicMs`. */
  addSegment(segment: PackagedSegment, arrivedMs: number): void {
    this.move({ kind: 'segment' });
    this.#session.countSource(segment, timeOfDay(this.#options.clock, arrivedMs));
  }

  #follow(change: AirChange): void {
    const { note, onBegin } = this.#options;
    switch (change.kind) {
      case 'began':
        this.#session.begin(this.#now());
        note('good', { code: 'on-air', afterMs: onBegin() });
        return;
      case 'returned':
        note('good', { code: 'back-on-air', afterMs: change.afterMs });
        return;
      case 'lost': {
        const { kind: _, ...lost } = change;
        note('bad', { code: 'encoder-lost', ...lost });
        return;
      }
      case 'ended':
        this.#end(change);
        return;
      default:
        assertNever(change);
    }
  }

  #start(): LiveSession {
    const { streamId, ledger, media, profiles } = this.#options;
    return new LiveSession({ streamId, ledger, media, profiles: profiles() });
  }

  #end({ end, wasLive, goneMs }: Extract<AirChange, { kind: 'ended' }>): void {
    const { note, onChange, clock } = this.#options;
    const ended = this.#session.end(this.#now(), end);
    this.#draining = Promise.all([this.#draining, ended]).then(onChange);
    if (wasLive) {
      this.#sessionEndedAt = clock.monotonicMs();
      note(isLoss(end.reason) ? 'bad' : 'good', { code: 'ended', ...end, ...(goneMs !== undefined && { goneMs }) });
    }
    onChange();
  }

  #now(): number {
    const { clock } = this.#options;
    return timeOfDay(clock, clock.monotonicMs());
  }
}
