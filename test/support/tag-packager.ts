import type { FlvTag } from '../../src/service/flv/flv-tag.ts';
import { UnitReader } from '../../src/service/flv/unit-reader.ts';
import { SegmentStore } from '../../src/service/hls/segment-store.ts';
import { SourcePackager } from '../../src/service/hls/source-packager.ts';
import { MediaFormatError } from '../../src/service/media/media-format-error.ts';
import { type PackagerChanges, packagerOptions } from './packager-options.ts';

/** See {@link packagerOptions}. A `SegmentStore` as the sink also gives the places, and what its playlist promises. */
export type TagPackagerOptions = Omit<PackagerChanges, 'places' | 'promised'> & {
  /** Called for each tag that is left out because it is malformed. */
  onMalformed?: (error: MediaFormatError) => void;
};

/** A source's packager that takes a publisher's tags, parsed as the ingest does. */
export class TagPackager {
  readonly #packager: SourcePackager;
  readonly #reader = new UnitReader();
  readonly #onMalformed: TagPackagerOptions['onMalformed'];

  constructor({ onMalformed, ...changes }: TagPackagerOptions) {
    const store = changes.sink instanceof SegmentStore ? changes.sink : undefined;
    this.#packager = new SourcePackager(packagerOptions({ ...changes, places: store?.places, promised: store?.targets }));
    this.#onMalformed = onMalformed;
  }

  get away() {
    return this.#packager.away;
  }

  push(tag: FlvTag, arrivedMs = 0): void {
    try {
      const read = this.#reader.read(tag);
      if (read.kind === 'unsupported') throw new MediaFormatError(`${read.what} is not carried.`);
      if (read.kind === 'unit') this.#packager.push(read.unit, arrivedMs);
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
