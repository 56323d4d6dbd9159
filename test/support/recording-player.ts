import type Hls from 'hls.js';
import type { Page } from 'playwright-core';
import type { FlvTag } from '../../src/service/flv/flv-tag.ts';
import { feedInRealTime } from './feed-in-real-time.ts';
import type { PlaybackStand } from './playback-stand.ts';
import type { PlayerLog } from './player-page.ts';

/** A page's record of its hls.js. */
export interface RecordingPlayer extends PlayerLog {
  Hls: typeof Hls;
  hls: Hls;
  fatal: string[];
  /** The delivery directives of each playlist that it loaded (rfc8216bis §6.2.5), '' for none. */
  directives: Set<string>;
  /** The file names of the media that it loaded. */
  media: string[];
}

/** The reads to wait for: hls.js that reads a playlist late, on a busy computer, loads no media until there is a newer one. */
const patientReads = 4;

/** A broadcast of these tags, or until one for which it `isOver`. */
interface Broadcast {
  tags: readonly FlvTag[];
  /** How much media there is at once. */
  headMs: number;
  targetSegmentSeconds: number;
  isOver?: (tag: FlvTag) => boolean;
}

/**
 * Makes the first media available at once, so that a player can start, and the rest in real time once it plays, or waits for more; then
 * ends.
 */
export function broadcastOncePlayed(
  stand: PlaybackStand,
  { tags, headMs, targetSegmentSeconds, isOver = () => false }: Broadcast,
): Promise<void> {
  const packager = stand.createPackager({ targetSegmentSeconds });
  const head = tags.filter(({ timestampMs }) => timestampMs < headMs);
  for (const tag of head) packager.push(tag);
  const isWanted = Promise.race([stand.mediaAsked('source'), stand.sourceAsked('playlist', patientReads)]);
  const rest = tags.filter(({ timestampMs }) => timestampMs >= headMs);
  function* untilOver() {
    for (const tag of rest) {
      if (isOver(tag)) return;
      yield tag;
    }
  }
  return isWanted.then(() => feedInRealTime(stand.endingWith(packager), untilOver(), headMs));
}

/** Plays with hls.js, and records its loads. */
export const playAndRecord = (page: Page, url: string, lowLatencyMode: boolean) =>
  page.evaluate(
    ([source, lowLatency]) => {
      const page = window as unknown as RecordingPlayer;
      const video = document.querySelector('video') as HTMLVideoElement;
      page.fatal = [];
      page.directives = new Set();
      page.media = [];
      page.hls = new page.Hls({ lowLatencyMode: lowLatency, debug: page.logger });
      page.hls.on(page.Hls.Events.ERROR, (_event, { details, fatal }) => {
        if (fatal) page.fatal.push(details);
      });
      page.hls.on(page.Hls.Events.LEVEL_LOADED, (_event, { networkDetails }) => {
        const { searchParams } = new URL((networkDetails as XMLHttpRequest).responseURL);
        page.directives.add([...searchParams.keys()].sort().join());
      });
      page.hls.on(page.Hls.Events.FRAG_LOADED, (_event, { part, frag }) => {
        page.media.push(new URL(part?.url ?? frag.url).pathname.split('/').at(-1) ?? '');
      });
      page.hls.loadSource(source);
      page.hls.attachMedia(video);
      void video.play();
    },
    [url, lowLatencyMode] as const,
  );
