import type { FlvTag } from '../../src/service/flv/flv-tag.ts';
import { UnitReader } from '../../src/service/flv/unit-reader.ts';
import type { SegmentSink } from '../../src/service/hls/packaged-segment.ts';
import { SegmentPlaces } from '../../src/service/hls/segment-places.ts';
import { SegmentStore } from '../../src/service/hls/segment-store.ts';
import { SourcePackager, type SourcePackagerOptions } from '../../src/service/hls/source-packager.ts';
import { MediaFormatError } from '../../src/service/media/media-format-error.ts';

export type TagPackagerOptions = Omit<SourcePackagerOptions, 'sink' | 'places'> & {
  /** Without it segments are only reported. */
  sink?: SegmentSink;
  /** Called for each tag that is left out because it is malformed. */
  onMalformed?: (error: MediaFormatError) => void;
};

/** A source's packager that takes a publisher's tags, parsed as the ingest does. */
export class TagPackager {
  readonly #packager: SourcePackager;
  readonly #reader = new UnitReader();
  readonly #onMalformed: TagPackagerOptions['onMalformed'];

  constructor({ sink = new ForgetfulSink(), onMalformed, ...options }: TagPackagerOptions) {
    const places = sink instanceof SegmentStore ? sink.places : new SegmentPlaces();
    const promised = sink instanceof SegmentStore ? sink.targets : undefined;
    this.#packager = new SourcePackager({ sink, places, promised, ...options });
    this.#onMalformed = onMalformed;
  }

  get away() {
    return this.#packager.away;
  }

  push(tag: FlvTag, arrivedAtMs?: number): void {
    try {
      const read = this.#reader.read(tag);
      if (read.kind === 'unsupported') throw new MediaFormatError(`${read.what} is not carried.`);
      if (read.kind === 'unit') this.#packager.push(read.unit, arrivedAtMs);
    } catch (error) {
      if (!(error instanceof MediaFormatError)) throw error;
      this.#onMalformed?.(error);
    }
  }

  expectVideo(): void {
    this.#packager.expectVideo();
  }

  setClockOffset(clockOffsetMs: number | undefined): void {
    this.#packager.setClockOffset(clockOffsetMs);
  }

  moveClock(milliseconds: number): void {
    this.#packager.moveClock(milliseconds);
  }

  end(): void {
    this.#packager.end();
  }
}

/** Keeps nothing. */
export class ForgetfulSink implements SegmentSink {
  begin(): void {}
  addPart(): void {}
  breakOff(): void {}
  complete(): void {}
  beginGap(): void {}
  appendGap(): void {}
}
