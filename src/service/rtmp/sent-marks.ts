/** How many messages are kept at most: 26 s of a common broadcast. */
const maxMarks = 2_000;
/** Beyond that, a message is forgotten if the messages before and after it are closer together than this share of their age. */
const spacing = 0.02;

/**
 * When each message was produced that a peer hasn't acknowledged. Times are in milliseconds, of one monotonic clock.
 *
 * A peer may acknowledge seldom or never. From 2,000 messages on, only some are kept: the older, the fewer. A message that isn't
 * kept gets the time of a newer one, which makes it appear younger by at most a fiftieth of its age.
 */
export class SentMarks {
  /** A message ends after `endBytes` in total. */
  #marks: { endBytes: number; atMs: number }[] = [];

  get count(): number {
    return this.#marks.length;
  }

  /** A message that was produced at `atMs`, not before the last one, ends after `endBytes` in total. */
  add(endBytes: number, atMs: number): void {
    if (this.#marks.length === maxMarks) this.#thin(atMs);
    this.#marks.push({ endBytes, atMs });
  }

  /** When the message with this unacknowledged byte was produced; undefined if the byte wasn't sent. */
  find(byte: number): number | undefined {
    return this.#marks.find(({ endBytes }) => endBytes >= byte)?.atMs;
  }

  /**
   * The peer has this many bytes in total: forgets the messages that they complete. Returns when the newest of them was produced.
   */
  acknowledge(bytes: number): number | undefined {
    const newestMs = this.find(bytes) ?? this.#marks.at(-1)?.atMs;
    const next = this.#marks.findIndex(({ endBytes }) => endBytes > bytes);
    this.#marks = next < 0 ? [] : this.#marks.slice(next);
    return newestMs;
  }

  #thin(nowMs: number): void {
    const fromNewest = this.#marks.toReversed();
    let newerMs = Number.POSITIVE_INFINITY;
    const kept = fromNewest.filter(({ atMs }, index) => {
      const older = fromNewest[index + 1];
      const isKept = older === undefined || newerMs - older.atMs > spacing * (nowMs - older.atMs);
      if (isKept) newerMs = atMs;
      return isKept;
    });
    this.#marks = kept.reverse();
  }
}
