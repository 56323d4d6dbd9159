import type { PageDevice } from '../../shared/model/page-capture.ts';
import { putLast } from '../../shared/put-last.ts';

/** How many opened pages are remembered, to tell which is newer when they join again. */
const maxOpenings = 100;

/** An open page that captures. */
export interface CapturePage {
  readonly pageId: string;
  /** Its number among all pages that were opened. */
  readonly openedAs: number;
  devices: readonly PageDevice[];
}

/** The open capture pages of each place. If there are several, the one opened last does the work. */
export class CapturePages {
  /** The newest last. */
  readonly #byPlace = new Map<string, readonly CapturePage[]>();
  /** The numbers of pages by their ids, those that joined last at the end. */
  readonly #openings = new Map<string, number>();
  #opened = 0;

  /** A page opens. A page that joins again, on a new connection, keeps its age and replaces its earlier entry. */
  join(place: string, pageId: string): CapturePage {
    const page: CapturePage = { pageId, openedAs: this.#countOpening(pageId), devices: [] };
    // We may not have noticed yet that the page's old connection is lost.
    const others = this.#of(place).filter((other) => other.pageId !== pageId);
    this.#byPlace.set(
      place,
      [...others, page].sort((one, other) => one.openedAs - other.openedAs),
    );
    return page;
  }

  /** A page closes; nothing if it was replaced. */
  leave(place: string, page: CapturePage): void {
    const left = this.#of(place).filter((other) => other !== page);
    if (left.length > 0) this.#byPlace.set(place, left);
    else this.#byPlace.delete(place);
  }

  /** All pages of a place are gone. */
  leaveAll(place: string): void {
    this.#byPlace.delete(place);
  }

  /** The page that does the work of a place. */
  newestOf(place: string): CapturePage | undefined {
    return this.#of(place).at(-1);
  }

  find(place: string, pageId: string): CapturePage | undefined {
    return this.#of(place).find((page) => page.pageId === pageId);
  }

  #of(place: string): readonly CapturePage[] {
    return this.#byPlace.get(place) ?? [];
  }

  #countOpening(pageId: string): number {
    const openedAs = this.#openings.get(pageId) ?? this.#opened;
    if (openedAs === this.#opened) this.#opened += 1;
    putLast(this.#openings, pageId, openedAs, maxOpenings);
    return openedAs;
  }
}
