import type { ListedDevice } from '../../../shared/model/capture.ts';
import { findListedDevice } from '../../../shared/model/device-id.ts';
import type { Device } from '../../../shared/model/source.ts';
import { putLast } from '../../../shared/put-last.ts';

/** How many windows are remembered: those that were listed last. */
const maxWindows = 4_096;

/**
 * The windows that looks have found. A closed window must not be taken for another one of the same program and title that was open beside
 * it: it counts as reopened only as a window that was first found after the last look that still had the closed one.
 */
export class SeenWindows {
  /** How many looks there were. */
  #looks = 0;
  /** By id: the looks that found each first and last, counted from 1. Those found last are at the end. */
  readonly #seen = new Map<string, { first: number; last: number }>();
  /** The window that was last taken for a chosen one, if it was a different one. */
  readonly #reopened = new Map<string, string>();

  /** Notes the windows of a look. */
  note(windows: readonly ListedDevice[]): void {
    this.#looks += 1;
    for (const { id } of windows) {
      const { first } = this.#seen.get(id) ?? { first: this.#looks };
      putLast(this.#seen, id, { first, last: this.#looks }, maxWindows);
    }
  }

  /** The listed window that a chosen one is now. For a chosen one that no look has found, the only window of its program and title. */
  find(listed: readonly ListedDevice[], chosen: Device): ListedDevice | undefined {
    const key = JSON.stringify([chosen.id, chosen.name]);
    const withId = (id: string | undefined) => listed.find((window) => window.id === id);
    const itself = withId(chosen.id);
    if (itself !== undefined) {
      this.#reopened.delete(key);
      return itself;
    }
    const reopenedId = this.#reopened.get(key);
    const reopened = withId(reopenedId);
    if (reopened !== undefined) return reopened;
    const lastSeen = this.#seen.get(reopenedId ?? chosen.id)?.last ?? 0;
    const later = listed.filter(({ id }) => (this.#seen.get(id)?.first ?? 0) > lastSeen);
    const found = findListedDevice('window', later, chosen);
    if (found !== undefined) putLast(this.#reopened, key, found.id, maxWindows);
    return found;
  }
}
