import { EyeOff } from 'lucide-react';
import { useEffect, useRef } from 'react';
import type { AwayPart, SourcePreview } from '../../../shared/model/capture.ts';
import { describeAwayPart } from '../../../shared/words/capture-words.ts';
import { SeverityIcon } from '../../components/severity-icon.tsx';
import { SoundMeter } from './sound-meter.tsx';
import styles from './source-preview.module.css';

interface SourcePreviewProps {
  preview: SourcePreview | undefined;
  /** The parts of the source that can't be captured now. */
  away: readonly AwayPart[];
  /** Why there is no preview. */
  refusal: string | undefined;
  /** Whether there is a source to look at. */
  isReady: boolean;
  /** Whether the source has any sound. */
  hasSound: boolean;
}

/**
 * What the chosen source looks like and how loud it is now, from the capture itself, and which of its parts are away. Nobody else sees
 * it.
 */
export function SourcePreviewFigure({ preview, away, refusal, isReady, hasSound }: SourcePreviewProps) {
  const jpeg = isReady ? preview?.jpeg : undefined;
  // In its place, the picture is black.
  const lost = away.find(({ part }) => part === 'picture');
  return (
    <figure className={styles.preview} aria-label="Preview of the source" data-state={jpeg === undefined ? 'waiting' : 'shown'}>
      <div className={styles.watch}>
        <div className={styles.picture}>
          <Picture jpeg={jpeg} />
          {jpeg === undefined ? (
            <p className={styles.empty} role={isReady && refusal !== undefined ? 'alert' : undefined}>
              {isReady ? (refusal ?? 'Opening the source…') : 'The preview appears when the source is complete.'}
            </p>
          ) : null}
          {jpeg !== undefined && lost !== undefined ? (
            <p className={styles.lost} aria-hidden>
              {`${describeAwayPart(lost, { isOnAir: false }).title}.`}
            </p>
          ) : null}
        </div>
        {hasSound ? <SoundMeter meter={isReady ? preview?.meter : undefined} channels={2} /> : null}
      </div>
      <figcaption className={styles.caption}>
        <EyeOff aria-hidden size={14} /> Only you see this preview.
      </figcaption>
      {away.length === 0 ? null : (
        <ul className={styles.away} aria-label="Problems with the source" aria-live="polite">
          {away.map((part) => (
            <li key={`${part.part} ${part.input ?? ''}`}>
              <SeverityIcon severity="warn" size={16} />
              <AwayWords part={part} />
            </li>
          ))}
        </ul>
      )}
    </figure>
  );
}

function AwayWords({ part }: { part: AwayPart }) {
  const { title, sentence } = describeAwayPart(part, { isOnAir: false });
  return (
    <span>
      <b className={styles.title}>{`${title}.`}</b> <span>{sentence}</span>
    </span>
  );
}

/** A JPEG in base64, drawn: our Content-Security-Policy allows no data URL. */
function Picture({ jpeg }: { jpeg: string | undefined }) {
  const canvas = useRef<HTMLCanvasElement>(null);
  useEffect(() => {
    if (jpeg === undefined) return;
    let isOld = false;
    const bytes = Uint8Array.from(atob(jpeg), (character) => character.charCodeAt(0));
    createImageBitmap(new Blob([bytes], { type: 'image/jpeg' }))
      .then((bitmap) => {
        if (!isOld) draw(canvas.current, bitmap);
        bitmap.close();
      })
      // A broken picture is skipped: another one follows.
      .catch(() => {});
    return () => {
      isOld = true;
    };
  }, [jpeg]);
  return <canvas ref={canvas} className={styles.canvas} hidden={jpeg === undefined} />;
}

function draw(canvas: HTMLCanvasElement | null, bitmap: ImageBitmap): void {
  if (canvas === null) return;
  if (canvas.width !== bitmap.width) canvas.width = bitmap.width;
  if (canvas.height !== bitmap.height) canvas.height = bitmap.height;
  canvas.getContext('2d')?.drawImage(bitmap, 0, 0);
}
