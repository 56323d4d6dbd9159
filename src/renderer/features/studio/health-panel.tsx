import { CircleDashed } from 'lucide-react';
import type { StreamLive } from '../../../shared/model/views.ts';
import { SeverityIcon } from '../../components/severity-icon.tsx';
import { formatAge } from '../../format/age.ts';
import { useNow } from '../../hooks/use-now.ts';
import type { AirStatus } from '../../status/air-status.ts';
import { useStore } from '../../store/store-context.tsx';
import { BitrateChart } from './bitrate-chart.tsx';
import styles from './health-panel.module.css';
import { MeterFacts } from './meter-facts.tsx';
import { RenditionList } from './rendition-list.tsx';
import { StageList } from './stage-list.tsx';
import { WhatHappened } from './what-happened.tsx';

interface HealthPanelProps {
  live: StreamLive;
  status: AirStatus;
  /** Since when the service is not heard, by the page's clock; undefined while it is. */
  lostContactMs: number | undefined;
  clockOffsetMs: number;
}

/** Where it breaks: the answer first, then the stages and numbers that prove it, then what happened. */
export function HealthPanel({ live, status, lostContactMs, clockOffsetMs }: HealthPanelProps) {
  const store = useStore();
  return (
    <aside className={styles.panel} aria-label="Health">
      <div className={styles.group}>
        {lostContactMs === undefined ? (
          <VerdictView live={live} status={status} />
        ) : (
          <LostContactView sinceMs={lostContactMs} />
        )}
        <div className={styles.group} data-stale={lostContactMs !== undefined || undefined}>
          <StageList stages={live.stages} />
          <RenditionList renditions={live.renditions} isEncoderLost={live.stream.air.kind === 'reconnecting'} />
        </div>
      </div>
      <div className={styles.group}>
        <MeterFacts live={live} clockOffsetMs={clockOffsetMs} />
        <BitrateChart history={store.history(live.stream.id)} clockOffsetMs={clockOffsetMs} />
        <WhatHappened lines={live.log} clockOffsetMs={clockOffsetMs} />
      </div>
    </aside>
  );
}

function LostContactView({ sinceMs }: { sinceMs: number }) {
  const now = useNow(500);
  return (
    <div className={styles.verdict} data-severity="warn">
      <SeverityIcon severity="warn" size={22} named />
      <h2 className={styles.title}>The service is not heard</h2>
      <p>
        What stands here is as it was {formatAge(sinceMs, now)}. A broadcast does not need this page: while the service runs, it
        goes on.
      </p>
    </div>
  );
}

function VerdictView({ live, status }: { live: StreamLive; status: AirStatus }) {
  const { verdict } = live;
  if (verdict === undefined) {
    const isQuiet = status.kind === 'off-air' || status.kind === 'suspended';
    return (
      <div className={styles.verdict}>
        <CircleDashed aria-hidden size={22} className={styles.quiet} />
        <h2 className={styles.title}>
          {!isQuiet ? 'Measuring' : live.meters === undefined ? 'Nothing to measure yet' : 'Nothing arrives now'}
        </h2>
        <p>{isQuiet ? 'Health shows here while the stream is on air.' : 'The first numbers come with the first segment.'}</p>
      </div>
    );
  }
  return (
    <div className={styles.verdict} data-severity={verdict.severity}>
      <SeverityIcon severity={verdict.severity} size={22} named />
      <h2 className={styles.title}>{verdict.title}</h2>
      {verdict.sentence === undefined ? null : <p>{verdict.sentence}</p>}
    </div>
  );
}
