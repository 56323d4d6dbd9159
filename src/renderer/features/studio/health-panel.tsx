import type { ServiceInfo, StreamLive } from '../../../shared/model/views.ts';
import { isSentFromHere } from '../../../shared/sent-from-here.ts';
import type { AirStatus } from '../../status/air-status.ts';
import { useStore } from '../../store/store-context.tsx';
import { BitrateChart } from './bitrate-chart.tsx';
import { currentMeters } from './current-meters.ts';
import { HealthDetails } from './health-details.tsx';
import styles from './health-panel.module.css';
import { LeadNumbers } from './lead-numbers.tsx';
import type { SourceState } from './preflight.ts';
import { PreflightView } from './preflight-view.tsx';
import { StageList } from './stage-list.tsx';
import { LostContactView, VerdictView } from './verdict-view.tsx';
import { WhatHappened } from './what-happened.tsx';

interface HealthPanelProps {
  live: StreamLive;
  service: ServiceInfo;
  status: AirStatus;
  /** When the service was last heard, by the page's clock; undefined while it is heard. */
  lostContactMs: number | undefined;
  /** Why the service that is heard can't tell the current state, if it can't. */
  refusal: string | undefined;
  clockOffsetMs: number;
  /** What is known of the chosen source. */
  source: SourceState;
}

/** On air: whether all is well and, if not, where the trouble is. Off air: what the next broadcast depends on. */
export function HealthPanel({ live, service, status, lostContactMs, refusal, clockOffsetMs, source }: HealthPanelProps) {
  const store = useStore();
  const isQuiet = lostContactMs === undefined && isAtRest(status);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard
    <aside className={styles.panel} aria-label="Health" tabIndex={0}>
      {isQuiet ? (
        <PreflightView live={live} service={service} clockOffsetMs={clockOffsetMs} source={source} />
      ) : (
        <>
          {lostContactMs === undefined ? (
            <VerdictView live={live} clockOffsetMs={clockOffsetMs} />
          ) : (
            <LostContactView refusal={refusal} />
          )}
          <div className={styles.group} data-stale={lostContactMs !== undefined || undefined}>
            <LeadNumbers live={live} clockOffsetMs={clockOffsetMs} />
            {/* A remote service's interface has no measurements: only those made here are shown. */}
            {live.service === undefined || isSentFromHere(live.oneClick) ? (
              <BitrateChart
                history={store.history(live.stream.id)}
                targetBps={currentMeters(live)?.targetBitrateBps}
                clockOffsetMs={clockOffsetMs}
              />
            ) : null}
            <StageList stages={live.stages} />
          </div>
        </>
      )}
      {isQuiet && live.session === undefined ? null : (
        <HealthDetails live={live} isUnheard={lostContactMs !== undefined} clockOffsetMs={clockOffsetMs} />
      )}
      <WhatHappened lines={live.log} clockOffsetMs={clockOffsetMs} />
    </aside>
  );
}

function isAtRest({ kind }: AirStatus): boolean {
  return kind === 'off-air' || kind === 'lost' || kind === 'suspended';
}
