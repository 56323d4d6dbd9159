import type { StageReport } from '../../../shared/model/live.ts';
import { SeverityIcon } from '../../components/severity-icon.tsx';
import styles from './stage-list.module.css';

const stageNames: Readonly<Record<StageReport['stage'], string>> = {
  encode: 'Encode',
  upload: 'Upload',
  ingest: 'Ingest',
  transcode: 'Transcode',
  package: 'Package',
  play: 'Play',
};

/** The path from the source to viewers, stage by stage, as far as it is measured. */
export function StageList({ stages }: { stages: readonly StageReport[] }) {
  if (stages.length === 0) return null;
  return (
    <ol className={styles.path} aria-label="From source to viewer">
      {stages.map(({ stage, severity, summary }) => (
        <li key={stage} className={styles.stage} data-severity={severity}>
          <SeverityIcon severity={severity} size={16} named />
          <b className={styles.name}>{stageNames[stage]}</b>
          <small className={styles.summary}>{summary}</small>
        </li>
      ))}
    </ol>
  );
}
