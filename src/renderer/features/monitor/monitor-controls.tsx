import { LayoutGrid, Maximize, Minimize, Pause, Play, Volume2, VolumeX } from 'lucide-react';
import { type RefObject, useEffect, useState } from 'react';
import { withUnit } from '../../../shared/with-unit.ts';
import { IconButton } from '../../components/icon-button.tsx';
import { popupLayer } from '../../components/popup-layer.ts';
import styles from './monitor-controls.module.css';
import type { PlayerView } from './player-view.ts';
import type { Quality } from './qualities.ts';
import { QualityMenu } from './quality-menu.tsx';
import { RewindSlider } from './rewind-slider.tsx';
import { measureBehind } from './timeline.ts';
import type { PlayerCommands } from './use-player.ts';

interface MonitorControlsProps {
  video: RefObject<HTMLVideoElement | null>;
  frame: RefObject<HTMLElement | null>;
  isFullScreen: boolean;
  sound: MonitorSound;
  view: PlayerView;
  commands: PlayerCommands;
  qualities: readonly Quality[];
  /** The label of the rendition the viewer last chose. */
  chosenLabel: string | undefined;
  onQuality: (name: string | undefined) => void;
  /** Whether the encoder is sending; if not, the newest frame isn't from now. */
  isArriving: boolean;
  isWallOpen: boolean;
  onWall: (isOpen: boolean) => void;
}

/**
 * The monitor's controls: rewind and back to live, pause, sound, quality, wall, full screen. The wall always plays live, so the
 * controls for a single picture are hidden there.
 */
export function MonitorControls({
  video,
  frame,
  isFullScreen,
  sound: { isMuted, volume, setMuted, setVolume },
  view,
  commands,
  qualities,
  chosenLabel,
  onQuality,
  isArriving,
  isWallOpen,
  onWall,
}: MonitorControlsProps) {
  const isPaused = view.phase.kind === 'paused';
  const isPlaying = view.phase.kind === 'playing';
  const isAtLive = !isPaused && (view.timeline === undefined || measureBehind(view.timeline) === 0 || view.isFollowing);

  const togglePlay = () => {
    if (isPaused) commands.play();
    else video.current?.pause();
  };
  const toggleFullScreen = () => {
    // Refused only by the browser's own rules; the page then stays as it is.
    const change = isFullScreen ? document.exitFullscreen() : frame.current?.requestFullscreen();
    void change?.catch(() => {});
  };

  return (
    <fieldset className={styles.controls} aria-label="Monitor controls">
      {view.timeline === undefined || isWallOpen ? null : (
        <RewindSlider timeline={view.timeline} isFollowing={view.isFollowing} onSeek={commands.seek} />
      )}
      <div className={styles.row}>
        {isWallOpen ? null : (
          <IconButton
            surface="glass"
            label={isPaused ? 'Play' : 'Pause'}
            icon={isPaused ? <Play aria-hidden /> : <Pause aria-hidden />}
            onClick={togglePlay}
            // A disabled one would lose the focus each time nothing new arrives.
            isUnavailable={!isPlaying && !isPaused}
          />
        )}
        <IconButton
          surface="glass"
          label={isMuted ? 'Unmute' : 'Mute'}
          icon={isMuted ? <VolumeX aria-hidden /> : <Volume2 aria-hidden />}
          onClick={() => setMuted(!isMuted)}
        />
        <input
          type="range"
          className={styles.volume}
          aria-label="Volume"
          aria-valuetext={isMuted ? 'muted' : withUnit(Math.round(volume * 100), '%')}
          min={0}
          max={1}
          step={0.05}
          value={isMuted ? 0 : volume}
          onChange={(event) => setVolume(Number(event.target.value))}
        />
        <span className={styles.grow} />
        {isWallOpen ? null : (
          <>
            <button
              type="button"
              className={styles.live}
              data-at-live={(isAtLive && isPlaying && isArriving) || undefined}
              aria-label={isAtLive ? 'Live: at the live edge' : 'Back to live'}
              onClick={commands.jumpToLive}
            >
              <span className={styles.dot} aria-hidden />
              {isAtLive ? null : <span className={styles.long}>Back to live</span>}
              <span className={isAtLive ? styles.word : styles.short}>Live</span>
            </button>
            <QualityMenu
              view={view}
              qualities={qualities}
              chosenLabel={chosenLabel}
              onQuality={onQuality}
              container={isFullScreen ? frame.current : popupLayer()}
            />
          </>
        )}
        {qualities.length < 2 ? null : (
          <IconButton
            surface="glass"
            label={isWallOpen ? 'Close the wall' : 'Show source and renditions at once'}
            icon={<LayoutGrid aria-hidden />}
            onClick={() => onWall(!isWallOpen)}
          />
        )}
        {/* iPhones fill their screen with a video only. */}
        {document.fullscreenEnabled ? (
          <IconButton
            surface="glass"
            label={isFullScreen ? 'Exit full screen' : 'Full screen'}
            icon={isFullScreen ? <Minimize aria-hidden /> : <Maximize aria-hidden />}
            onClick={toggleFullScreen}
          />
        ) : null}
      </div>
    </fieldset>
  );
}

/** Whether the monitor is heard, how loud, and what changes that. `volume` is from 0 to 1. */
interface MonitorSound {
  isMuted: boolean;
  volume: number;
  setMuted(next: boolean): void;
  setVolume(next: number): void;
}

/** The monitor's sound; muted at first. */
export function useSound(video: RefObject<HTMLVideoElement | null>): MonitorSound {
  const [isMuted, setMutedState] = useState(true);
  const [volume, setVolumeState] = useState(1);
  const setMuted = (next: boolean) => {
    setMutedState(next);
    if (video.current === null) return;
    video.current.muted = next;
    // With the volume at zero, unmuting would stay silent.
    if (!next && video.current.volume === 0) setVolume(0.5);
  };
  const setVolume = (next: number) => {
    setVolumeState(next);
    setMutedState(next === 0);
    if (video.current === null) return;
    video.current.volume = next;
    video.current.muted = next === 0;
  };
  return { isMuted, volume, setMuted, setVolume };
}

/** Whether the monitor fills the screen. */
export function useFullScreen(frame: RefObject<HTMLElement | null>): boolean {
  const [isFullScreen, setFullScreen] = useState(false);
  useEffect(() => {
    const look = () => setFullScreen(document.fullscreenElement !== null && document.fullscreenElement === frame.current);
    document.addEventListener('fullscreenchange', look);
    return () => document.removeEventListener('fullscreenchange', look);
  }, [frame]);
  return isFullScreen;
}
