import { type RefObject, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react';
import { hasSameContent } from '../../../shared/same-content.ts';
import type { PlayerSettings } from './hls-settings.ts';
import { drawLastPicture, dropPicture } from './picture-keeper.ts';
import { Player } from './player.ts';
import type { PlayerView } from './player-view.ts';

const idleView: PlayerView = { phase: { kind: 'idle' }, isFollowing: true };

/** The commands a viewer can give. */
export type PlayerCommands = Pick<Player, 'setQuality' | 'seek' | 'play' | 'jumpToLive'>;

interface PlayerHook {
  video: RefObject<HTMLVideoElement | null>;
  /** Keeps the last picture while no player shows one. */
  canvas: RefObject<HTMLCanvasElement | null>;
  view: PlayerView;
  commands: PlayerCommands;
}

interface PlayerWishes {
  url: string;
  /** The broadcast on air, or undefined. */
  sessionId: string | undefined;
  /** Whether its media arrives. */
  arrives: boolean;
  settings: PlayerSettings;
  /** Names of the renditions that can be played, if `url` offers several. */
  offered?: readonly string[];
  /** Gets every view of the player, also those too soon to be shown (`PlayerOptions.onView`). Must be stable. */
  onView?: (view: PlayerView, isNews: boolean) => void;
}

/**
 * The player in React: created with the element, told when the stream goes on or off air, closed with the component. `settings`
 * are only read at its start.
 */
export function usePlayer({ url, sessionId, arrives, settings, offered, onView }: PlayerWishes): PlayerHook {
  const video = useRef<HTMLVideoElement>(null);
  const canvas = useRef<HTMLCanvasElement>(null);
  const player = useRef<Player>(undefined);
  const [view, setView] = useState(idleView);

  useEffect(() => {
    if (video.current === null) return;
    const running = new Player({
      video: video.current,
      url,
      settings,
      onView: (next, isNews) => {
        onView?.(next, isNews);
        // Changing numbers are shown twice a second: rendering the monitor ten times a second costs 2 % more of a core.
        if (isNews) setView((shown) => (hasSameContent(shown, next) ? shown : next));
      },
      onReplace: () => {
        if (video.current !== null && canvas.current !== null) drawLastPicture(video.current, canvas.current);
      },
    });
    player.current = running;
    return () => {
      running.close();
      player.current = undefined;
      onView?.(idleView, true);
      setView(idleView);
    };
  }, [url, settings, onView]);

  // Runs after the effect above, so a player for a new URL is told about the broadcast too.
  // biome-ignore lint/correctness/useExhaustiveDependencies: url replaces the player, which must be told about the broadcast again
  useEffect(() => player.current?.setSession(sessionId, arrives), [sessionId, arrives, url]);

  const names = offered?.join('\n');
  // biome-ignore lint/correctness/useExhaustiveDependencies: as above
  useEffect(() => {
    if (names !== undefined) player.current?.setOffered(names.split('\n'));
  }, [names, url]);

  // While it opens, the video is transparent: the kept picture goes in the same paint that shows the new one.
  const isReplaced = view.hasShown === true && view.phase.kind !== 'opening';
  useLayoutEffect(() => {
    if (isReplaced && canvas.current !== null) dropPicture(canvas.current);
  }, [isReplaced]);

  const commands = useMemo<PlayerCommands>(
    () => ({
      setQuality: (name) => player.current?.setQuality(name),
      seek: (behindSeconds) => player.current?.seek(behindSeconds),
      play: () => player.current?.play(),
      jumpToLive: () => player.current?.jumpToLive(),
    }),
    [],
  );
  return { video, canvas, view, commands };
}
