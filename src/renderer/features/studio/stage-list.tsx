import type { StageReport } from '../../../shared/model/verdict.ts';
import { describeStage } from '../../../shared/words/stage-words.ts';
import { SeverityIcon } from '../../components/severity-icon.tsx';
import styles from './stage-list.module.css';

const stageNames: Readonly<Record<StageReport['stage'], string>> = {
  capture: 'Capture',
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
      {stages.map((report) => (
        <li key={report.stage} className={styles.stage} data-severity={report.severity}>
          <SeverityIcon severity={report.severity} size={16} named />
          <b className={styles.name}>{stageNames[report.stage]}</b>
          <small className={styles.summary}>{describeStage(report)}</small>
        </li>
      ))}
    </ol>
  );
}
