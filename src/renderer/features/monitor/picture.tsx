import type { RefObject } from 'react';
import styles from './picture.module.css';
import type { MonitorPhase } from './recovery.ts';

interface PictureProps {
  video: RefObject<HTMLVideoElement | null>;
  canvas: RefObject<HTMLCanvasElement | null>;
  label: string;
  phase: MonitorPhase['kind'];
}

/** Where a player draws: the video, above the last picture kept. */
export function Picture({ video, canvas, label, phase }: PictureProps) {
  return (
    <>
      <canvas className={styles.picture} ref={canvas} aria-hidden data-state={phase} />
      <video
        className={styles.picture}
        ref={video}
        muted
        playsInline
        disablePictureInPicture
        aria-label={label}
        data-state={phase}
      />
    </>
  );
}
