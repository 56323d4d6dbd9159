import { type KeyboardEvent, useEffect, useState } from 'react';
import { formatDuration } from '../../../shared/format-duration.ts';
import styles from './rewind-slider.module.css';
import { formatBehind, measureBehind, measureWindow, type Timeline } from './timeline.ts';

/** A shorter window is too short to rewind in, in seconds. */
const leastWindowSeconds = 5;
/** How long a dragged slider must rest before the player seeks, in milliseconds. */
const settleMs = 150;

/** How far each key moves, in seconds; positive is forward. */
const keySteps: Readonly<Record<string, number>> = {
  ArrowLeft: -10,
  ArrowDown: -10,
  ArrowRight: 10,
  ArrowUp: 10,
  PageDown: -60,
  PageUp: 60,
  Home: Number.NEGATIVE_INFINITY,
  End: Number.POSITIVE_INFINITY,
};

interface RewindSliderProps {
  timeline: Timeline;
  /** Whether the viewer is at live, even while the player still catches up. */
  isFollowing: boolean;
  onSeek: (behindSeconds: number) => void;
}

/** The playable window, with live at its right end; drag it or use keys to watch an earlier moment. */
export function RewindSlider({ timeline, isFollowing, onSeek }: RewindSliderProps) {
  const [dragged, setDragged] = useState<number>();
  useEffect(() => {
    if (dragged === undefined) return;
    const timer = setTimeout(() => {
      onSeek(dragged);
      setDragged(undefined);
    }, settleMs);
    return () => clearTimeout(timer);
  }, [dragged, onSeek]);

  const windowSeconds = measureWindow(timeline);
  if (windowSeconds < leastWindowSeconds) return null;
  const behind = Math.min(dragged ?? (isFollowing ? 0 : measureBehind(timeline)), windowSeconds);
  const press = (event: KeyboardEvent) => {
    const step = keySteps[event.key];
    if (step === undefined) return;
    event.preventDefault();
    setDragged(undefined);
    onSeek(Math.min(windowSeconds, Math.max(0, behind - step)));
  };
  return (
    <div className={styles.row}>
      <span className={styles.oldest} aria-hidden>
        {formatBehind(behind === 0 ? windowSeconds : behind)}
      </span>
      <input
        type="range"
        className={styles.slider}
        aria-label="Rewind"
        aria-valuetext={behind === 0 ? 'Live' : `${formatDuration(behind)} behind live`}
        min={-Math.floor(windowSeconds)}
        max={0}
        step={1}
        value={-Math.round(behind)}
        onChange={(event) => setDragged(-Number(event.target.value))}
        onKeyDown={press}
      />
    </div>
  );
}
