import { type KeyboardEvent, useEffect, useState } from 'react';
import { formatDuration } from '../../format/duration.ts';
import styles from './rewind-slider.module.css';
import { formatBehind, measureBehind, measureWindow, type Timeline } from './timeline.ts';

/** A window shorter than this is nothing to rewind in, in seconds. */
const leastWindowSeconds = 5;
/** How long a dragged slider rests before the player goes there, in milliseconds. */
const settleMs = 150;

/** How far each key goes, in seconds, forward being positive. */
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
  /** At live, however far the player has yet to catch up. */
  isFollowing: boolean;
  onSeek: (behindSeconds: number) => void;
}

/** The window that can be played, live at its right end: drag, or go by keys, to see again what was. */
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
