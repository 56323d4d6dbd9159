import type { PackagerBounds } from './packager-bounds.ts';
import { unnoticedMs } from './playlist-targets.ts';
import type { ProgramClock } from './program-clock.ts';
import {
  type DecidedPart,
  type MissingPart,
  SegmentAssembly,
  type SegmentAssemblyOptions,
  type SegmentBegin,
} from './segment-assembly.ts';
import type { SegmentMaker } from './segment-maker.ts';
import type { SegmentPlacing } from './segment-placing.ts';
import type { PlannedSegment } from './segment-plan.ts';
import { WaitingMedia } from './waiting-media.ts';

/**
 * Between the parts of a segment, the audio ends at least this much before the video, in milliseconds, and by at most a frame
 * more. A player's buffer then ends there, too, since it counts media only where it has both tracks.
 *
 * hls.js 1.7 takes a segment for complete if its buffer ends at most 0.2 s before it. If a page is busy for as long, hls.js may learn that
 * a segment is whole while it still appends the part before the last. With a last part of 0.2 s it would then never load that one, and
 * freeze.
 */
const audioLackMs = 1;

/** A decision that isn't carried out yet. Times in milliseconds. */
type Decision =
  | { kind: 'begin'; segment: SegmentBegin; clockOffsetMs: number | undefined }
  | ({ kind: 'part' } & DecidedPart)
  /** A part of the open segment that the rendition does not have. */
  | ({ kind: 'missing' } & MissingPart)
  /** The segment ends with the part before. */
  | { kind: 'end'; endMs: number; incomplete: boolean }
  | { kind: 'gap'; planned: PlannedSegment };

export type MediaQueueOptions = Omit<SegmentAssemblyOptions, 'media'>;

/**
 * Holds decisions until they can be carried out, in order: a part waits for its audio, a segment for its place in the plan.
 * The classes that cut segments add decisions at one end; {@link SegmentAssembly} carries them out at the other.
 */
export class MediaQueue {
  readonly media = new WaitingMedia();
  readonly #bounds: PackagerBounds;
  readonly #clock: ProgramClock;
  readonly #maker: SegmentMaker;
  readonly #placing: SegmentPlacing;
  readonly #assembly: SegmentAssembly;
  readonly #decisions: Decision[] = [];
  /** How far the video has arrived. */
  #newestMs = 0;

  constructor(options: MediaQueueOptions) {
    this.#bounds = options.bounds;
    this.#clock = options.clock;
    this.#maker = options.maker;
    this.#placing = options.placing;
    this.#assembly = new SegmentAssembly({ ...options, media: this.media });
  }

  /** The codec configurations of the segment being made; undefined before its first part. */
  get madeConfigs() {
    return this.#assembly.made?.configs;
  }

  /** Whether the parts decided next will have audio. */
  get audioExpected(): boolean {
    return this.#assembly.audioExpected;
  }

  /** Whether the open segment holds as much as it may. */
  get isFull(): boolean {
    return this.#assembly.isFull;
  }

  begin(segment: SegmentBegin): void {
    this.#decisions.push({ kind: 'begin', segment, clockOffsetMs: this.#clock.offsetMs });
  }

  /** The next part of the open segment. */
  part(part: Omit<DecidedPart, 'audioEndMs'>): void {
    this.media.video.assign(part.frames);
    this.#decisions.push({ kind: 'part', ...part, audioEndMs: part.endMs });
  }

  missing(part: MissingPart): void {
    this.#decisions.push({ kind: 'missing', ...part });
  }

  /** Takes effect at once: the segment that is being made will not be whole. `expectsPart`: one more part of it will come. */
  breakOff(expectsPart: boolean): void {
    this.#assembly.breakOff(expectsPart);
  }

  end(endMs: number, incomplete = false): void {
    this.#decisions.push({ kind: 'end', endMs, incomplete });
  }

  gap(planned: PlannedSegment): void {
    this.#decisions.push({ kind: 'gap', planned });
  }

  /** Nothing follows the parts decided so far: the last one takes all audio that is there. */
  closeAudio(): void {
    const last = this.#decisions.findLast((decision) => decision.kind === 'part');
    if (last) last.audioEndMs = Number.POSITIVE_INFINITY;
  }

  /** Makes every part that is ready; `newestMs` is how far the video has arrived. */
  advance(newestMs = this.#newestMs): void {
    this.#newestMs = newestMs;
    this.#run(false);
  }

  /** Makes everything that was decided, without waiting for audio. */
  flush(): void {
    this.#run(true);
  }

  /** Drops the decisions that cannot be carried out yet. */
  abandon(): void {
    this.#decisions.length = 0;
  }

  #run(force: boolean): void {
    for (let next = this.#decisions[0]; next !== undefined; next = this.#decisions[0]) {
      if (!this.#isReady(next, force)) return;
      const decision = next.kind === 'part' ? { ...next, audioEndMs: this.#findAudioEnd(next) } : next;
      this.#decisions.shift();
      this.#carryOut(decision);
    }
  }

  #isReady(decision: Decision, force: boolean): boolean {
    if (decision.kind === 'begin') return this.#placing.isDecided(decision.segment.planned);
    if (decision.kind === 'gap') return this.#placing.isDecided(decision.planned);
    if (decision.kind !== 'part' || force) return true;
    return this.#isAudioComplete(decision) && this.#isShortLastReady;
  }

  /**
   * A last part that is short appears together with the one before, if both are decided. If hls.js 1.7 saw it while appending that one, it
   * would take the segment for complete, never load the short part, and never reach the end.
   */
  get #isShortLastReady(): boolean {
    const next = this.#decisions[1];
    if (next?.kind !== 'part' || !this.#isLast(next) || next.endMs - next.startMs >= unnoticedMs) return true;
    return this.#isAudioComplete(next);
  }

  /** Whether the part has all its audio, or no longer waits for it. */
  #isAudioComplete(part: DecidedPart): boolean {
    if (this.#assembly.made?.discarded) return true;
    const audioEndMs = Math.min(this.#findAudioEnd(part), part.endMs);
    if (this.#isAudioOnly(part) || (this.media.audio.endMs ?? 0) >= audioEndMs) return true;
    if (!this.audioExpected) return true;
    return this.#newestMs - part.endMs >= this.#findWaitMs(part);
  }

  #isAudioOnly({ frames }: DecidedPart): boolean {
    const { made } = this.#assembly;
    return frames === 0 && made?.configs?.video === undefined && !made?.continues;
  }

  /** The part has the audio that starts before this time. */
  #findAudioEnd(part: DecidedPart): number {
    if (this.#isLast(part) || this.#isAudioOnly(part)) return part.audioEndMs;
    return part.audioEndMs - (this.media.audio.firstFrameMs ?? 0) - audioLackMs;
  }

  /** Whether a decided part is the last of its segment: its end is decided in the same moment. */
  #isLast(part: DecidedPart): boolean {
    return this.#decisions[this.#decisions.findIndex((decision) => decision === part) + 1]?.kind === 'end';
  }

  /** How much more video may come before the part is made without the rest of its audio. */
  #findWaitMs(part: DecidedPart): number {
    const { audioWaitMs, firstAudioWaitMs, partAudioWaitMs } = this.#bounds;
    const { made, hasSegment } = this.#assembly;
    const isBegun = made?.configs !== undefined || part !== this.#decisions[0];
    // Viewers wait for the first segment: audio that its last part lacks comes with the next, as between parts.
    const waitsAtEnd = this.#isLast(part) && hasSegment;
    if (isBegun && !waitsAtEnd) return partAudioWaitMs;
    const isAtStart = this.#maker.untouched || made?.newTimeline === true;
    return isAtStart && !isBegun ? firstAudioWaitMs : audioWaitMs;
  }

  #carryOut(decision: Decision): void {
    if (decision.kind === 'begin') this.#assembly.begin(decision.segment, decision.clockOffsetMs);
    else if (decision.kind === 'part') this.#assembly.addPart(decision);
    else if (decision.kind === 'missing') this.#assembly.addMissing(decision);
    else if (decision.kind === 'end') this.#assembly.complete(decision.endMs, decision.incomplete);
    else this.#assembly.appendGap(decision.planned);
  }
}
