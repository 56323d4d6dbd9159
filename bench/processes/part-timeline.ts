/** The position of a part. */
export interface PartPlace {
  msn: number;
  index: number;
}

const partLine = /#EXT-X-PART:DURATION=([\d.]+),URI="((\d+)-(\d+)\.m4s)"/g;

/** When each part ends on the media timeline, in ms from the first segment, from successive playlists. */
export class PartTimeline {
  readonly #ends = new Map<string, number>();
  #lastEndMs = 0;

  /** Takes the first playlist, which must still contain the first segment. */
  begin(playlist: string): void {
    if (!/^#EXT-X-MEDIA-SEQUENCE:0$/m.test(playlist)) throw new Error('The first segment has left the playlist.');
    // Segments whose parts are no longer listed count as one.
    let hasParts = false;
    for (const line of playlist.split('\n')) {
      if (line.startsWith('#EXT-X-PART:')) {
        this.readPartsFrom(line, { msn: 0, index: 0 });
        hasParts = true;
      } else if (line.startsWith('#EXTINF:')) {
        if (!hasParts) this.#lastEndMs += Number(/[\d.]+/.exec(line)?.[0]) * 1000;
        hasParts = false;
      }
    }
  }

  /** The part that the playlist announces next (EXT-X-PRELOAD-HINT). */
  readNext(playlist: string): PartPlace {
    const [, msn, index] = /#EXT-X-PRELOAD-HINT:TYPE=PART,URI="(\d+)-(\d+)\.m4s"/.exec(playlist) ?? [];
    if (msn === undefined) throw new Error('A playlist has no preload hint.');
    return { msn: Number(msn), index: Number(index) };
  }

  /** The parts of a playlist from this one on, which must be present. */
  readPartsFrom(playlist: string, from: PartPlace): { name: string; endMs: number }[] {
    const parts: { name: string; endMs: number }[] = [];
    for (const [, duration, name = '', msn, index] of playlist.matchAll(partLine)) {
      if (Number(msn) < from.msn || (Number(msn) === from.msn && Number(index) < from.index)) continue;
      let endMs = this.#ends.get(name);
      if (endMs === undefined) {
        endMs = this.#lastEndMs + Number(duration) * 1000;
        this.#lastEndMs = endMs;
        this.#ends.set(name, endMs);
      }
      parts.push({ name, endMs });
    }
    if (parts.length === 0) throw new Error(`A playlist lacks part ${from.msn}-${from.index}.`);
    return parts;
  }
}
