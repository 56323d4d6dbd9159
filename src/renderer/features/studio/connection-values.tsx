import { isLoopbackUrl } from '../../../shared/loopback-url.ts';
import { CopyField } from '../../components/copy-field.tsx';
import { KeyField } from '../../components/key-field.tsx';
import styles from './connection-values.module.css';
import { IngestField } from './ingest-field.tsx';

interface ConnectionValuesProps {
  streamId: string;
  /** Undefined if the steps for an encoder already show it, along with the key. */
  ingestUrl: string | undefined;
  /** The ingest is another service's. */
  isElsewhere: boolean;
  playbackUrl: string;
  /** Both URLs as this computer reaches them, if a service domain makes them different. */
  local: { ingestUrl: string; playbackUrl: string } | undefined;
}

/** What another program needs to publish, and a viewer to play. */
export function ConnectionValues({ streamId, ingestUrl, isElsewhere, playbackUrl, local }: ConnectionValuesProps) {
  return (
    <div className={styles.values}>
      <div className={styles.fields} data-alone={ingestUrl === undefined || undefined}>
        {ingestUrl === undefined ? null : (
          <>
            <IngestField label="Ingest URL" url={ingestUrl} isElsewhere={isElsewhere} />
            <KeyField streamId={streamId} />
          </>
        )}
        <CopyField
          label="Playback URL"
          shown={playbackUrl}
          note={isLoopbackUrl(playbackUrl) ? 'Works on this computer only.' : undefined}
        />
      </div>
      {local === undefined ? null : (
        <div className={styles.local}>
          <p className={styles.where}>
            These URLs use the service domain. On this computer, or until the domain points to it, use:
          </p>
          <CopyField label="Ingest URL on this computer" shown={local.ingestUrl} />
          <CopyField label="Playback URL on this computer" shown={local.playbackUrl} />
        </div>
      )}
    </div>
  );
}
