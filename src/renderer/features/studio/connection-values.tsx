import { CopyField } from '../../components/copy-field.tsx';
import styles from './connection-values.module.css';
import { KeyField } from './key-field.tsx';

interface ConnectionValuesProps {
  streamId: string;
  ingestUrl: string;
  playbackUrl: string;
  /** The same two as this computer reaches them, where a service domain makes them others. */
  local: { ingestUrl: string; playbackUrl: string } | undefined;
  /** Nothing runs: an encoder that starts now goes on air. */
  isListening: boolean;
  isSuspended: boolean;
}

/** What another program needs to push, and a viewer to play; off air it says that it listens. */
export function ConnectionValues({ streamId, ingestUrl, playbackUrl, local, isListening, isSuspended }: ConnectionValuesProps) {
  return (
    <div className={styles.values}>
      {isListening ? (
        <p className={styles.listening}>
          <span className={styles.ear} aria-hidden />
          <span>
            <strong>Or stream from OBS or any RTMP encoder.</strong> Paste the ingest URL as server and the stream key there,
            and start streaming: this page is listening and goes on air by itself.
          </span>
        </p>
      ) : null}
      {isSuspended ? <p className={styles.listening}>Suspended: encoders are refused until the stream is resumed.</p> : null}
      <div className={styles.fields}>
        <CopyField label="Ingest URL" shown={ingestUrl} />
        <KeyField streamId={streamId} />
        <CopyField label="Playback URL" shown={playbackUrl} />
      </div>
      {local === undefined ? null : (
        <div className={styles.local}>
          <p className={styles.where}>
            These lead here by the service domain. On this computer, and before the domain’s names lead to it, use:
          </p>
          <CopyField label="Ingest URL on this computer" shown={local.ingestUrl} />
          <CopyField label="Playback URL on this computer" shown={local.playbackUrl} />
        </div>
      )}
    </div>
  );
}
