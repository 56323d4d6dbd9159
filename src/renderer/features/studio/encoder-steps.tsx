import type { StreamView } from '../../../shared/model/views.ts';
import { KeyField } from '../../components/key-field.tsx';
import styles from './encoder-steps.module.css';
import { IngestField } from './ingest-field.tsx';
import { SaveProfile } from './save-profile.tsx';

interface EncoderStepsProps {
  stream: StreamView;
  ingestUrl: string;
  /** The ingest is another service's. */
  isElsewhere: boolean;
  /** Whether the stream refuses its own key after Stop. */
  isHeld: boolean;
}

/** How to stream from OBS or any RTMP program: with a profile, or in three steps. */
export function EncoderSteps({ stream, ingestUrl, isElsewhere, isHeld }: EncoderStepsProps) {
  return (
    <div className={styles.ways}>
      <ol className={styles.steps} aria-label="Stream from OBS or another program">
        <li className={styles.step}>
          <p>
            In OBS, open <b>Settings → Stream</b>, choose <b>Service: Custom…</b> and paste both.
          </p>
          <div className={styles.fields}>
            <IngestField label="Ingest URL (Server)" url={ingestUrl} isElsewhere={isElsewhere} />
            <KeyField streamId={stream.id} />
          </div>
        </li>
        <li className={styles.step}>
          <p>
            In <b>Settings → Output</b>, set <b>Output Mode</b> to Advanced and <b>Keyframe Interval</b> to 1 s. With x264, set{' '}
            <b>x264 Options</b> to <code>bframes=0</code>; with another encoder, set <b>B-Frames</b> to 0.
          </p>
        </li>
        <li className={styles.step}>
          <p>
            Press <b>Start Streaming</b>.{' '}
            {stream.suspended ? (
              'The stream is suspended: it refuses encoders until you resume it.'
            ) : isHeld ? (
              'You stopped this stream: it refuses encoders until you allow them, press Go live, or they stop trying for a while.'
            ) : (
              <span className={styles.listening} role="status">
                <span className={styles.ear} aria-hidden />
                This page goes on air automatically.
              </span>
            )}
          </p>
        </li>
      </ol>
      <SaveProfile stream={stream} ingestUrl={ingestUrl} />
    </div>
  );
}
