import { type RefObject, useCallback, useEffect, useRef, useState } from 'react';
import { keepPicture } from './picture-keeper.ts';
import { type Player, type PlayerView, startPlayer } from './player.ts';

const idleView: PlayerView = { phase: { kind: 'idle' }, isAdaptive: false, isBehind: false };

interface PlayerHook {
  video: RefObject<HTMLVideoElement | null>;
  /** Where the last picture is kept while there is no player to show it. */
  canvas: RefObject<HTMLCanvasElement | null>;
  view: PlayerView;
  jumpToLive: () => void;
}

/** The player's life in React: made with the element, told of the air, closed with it. */
export function usePlayer(url: string, sessionId: string | undefined): PlayerHook {
  const video = useRef<HTMLVideoElement>(null);
  const canvas = useRef<HTMLCanvasElement>(null);
  const player = useRef<Player>(undefined);
  const [view, setView] = useState(idleView);

  useEffect(() => {
    if (video.current === null) return;
    const running = startPlayer({
      video: video.current,
      url,
      onView: (next) => setView((shown) => (isSameView(shown, next) ? shown : next)),
      onReplace: () => {
        if (video.current !== null && canvas.current !== null) keepPicture(video.current, canvas.current);
      },
    });
    player.current = running;
    return () => {
      running.close();
      player.current = undefined;
      setView(idleView);
    };
  }, [url]);

  // After the effect above: a player of a new URL is told of the air too.
  // biome-ignore lint/correctness/useExhaustiveDependencies: url replaces the player, which must be told of the air again
  useEffect(() => player.current?.setSession(sessionId), [sessionId, url]);

  const jumpToLive = useCallback(() => player.current?.jumpToLive(), []);
  return { video, canvas, view, jumpToLive };
}

/** Views differ only when what is drawn of them does: the ingest time moves with every tick and is read to a tenth. */
function isSameView(a: PlayerView, b: PlayerView): boolean {
  return (
    a.phase.kind === b.phase.kind &&
    (a.phase.kind !== 'held' ||
      b.phase.kind !== 'held' ||
      (a.phase.reason === b.phase.reason && a.phase.sinceMs === b.phase.sinceMs)) &&
    a.heightPixels === b.heightPixels &&
    a.isAdaptive === b.isAdaptive &&
    a.isBehind === b.isBehind &&
    a.ingestedAtMs === b.ingestedAtMs
  );
}
