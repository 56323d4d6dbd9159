import { Dot } from 'lucide-react';
import type { ServiceInfo, StreamLive } from '../../../shared/model/views.ts';
import { SeverityIcon } from '../../components/severity-icon.tsx';
import { checkPreflight, type SourceState } from './preflight.ts';
import styles from './preflight-view.module.css';
import { VerdictBox } from './verdict-box.tsx';
import { VerdictView } from './verdict-view.tsx';

/** Health off air: what the next broadcast depends on. */
export function PreflightView({
  live,
  service,
  clockOffsetMs,
  source,
}: {
  live: StreamLive;
  service: ServiceInfo;
  clockOffsetMs: number;
  source: SourceState;
}) {
  const { severity, title, sentence, checks } = checkPreflight(live, { ...service, source }, (atMs) => atMs - clockOffsetMs);
  return (
    <>
      {live.verdict === undefined ? (
        <VerdictBox severity={severity} title={title}>
          {sentence}
        </VerdictBox>
      ) : (
        <VerdictView live={live} clockOffsetMs={clockOffsetMs} />
      )}
      <dl className={styles.checks}>
        {checks.map(({ name, severity: own, text }) => (
          <div key={name} className={styles.check} data-severity={own}>
            <dt>
              {own === undefined ? <Dot aria-hidden size={16} /> : <SeverityIcon severity={own} size={16} named />}
              <span>{name}</span>
            </dt>
            <dd>{text}</dd>
          </div>
        ))}
      </dl>
    </>
  );
}
