import { CircleCheck, Pencil, Trash2 } from 'lucide-react';
import type { RegionsView, RegionView } from '../../../shared/model/region.ts';
import { withUnit } from '../../../shared/with-unit.ts';
import { describeIngestFailure } from '../../../shared/words/ingest-failure-words.ts';
import { formatRegion } from '../../../shared/words/region-name.ts';
import { IconButton } from '../../components/icon-button.tsx';
import { SeverityIcon } from '../../components/severity-icon.tsx';
import tableStyles from '../../components/table.module.css';
import unseenStyles from '../../components/unseen.module.css';
import { formatAge } from '../../format/age.ts';
import { formatDecimal, unknownValue } from '../../format/quantity.ts';
import { useServiceNow } from '../../hooks/use-service-now.ts';
import styles from './region-table.module.css';

interface RegionTableProps {
  view: RegionsView;
  /** This computer's ingest and playback as they are reached from this page, if known. */
  own: Pick<RegionView, 'ingest' | 'playback'> | undefined;
  /** Whether the list can be changed here. */
  isEditable: boolean;
  onEdit: (region: RegionView) => void;
  onRemove: (region: RegionView) => void;
}

/** Every region with its connection time, the nearest one marked. */
export function RegionTable({ view, own, isEditable, onEdit, onRemove }: RegionTableProps) {
  const now = useServiceNow(1_000);
  return (
    <table className={`${tableStyles.table} ${styles.table}`} aria-label="Regions">
      <thead>
        <tr>
          <th scope="col" className={styles.code}>
            Region
          </th>
          <th scope="col">Connection time</th>
          <th scope="col">Ingest and playback</th>
          <th scope="col" className={styles.actions}>
            <span className={unseenStyles.unseen}>Change</span>
          </th>
        </tr>
      </thead>
      <tbody>
        {view.regions.map((region) => (
          <tr key={region.code} data-nearest={region.code === view.nearest || undefined}>
            <th scope="row" className={styles.code}>
              {formatRegion(region.code)}
              {region.isOwn ? <small>This computer</small> : null}
              {region.code === view.choice ? <small>Chosen for Go live</small> : null}
            </th>
            <td>
              <RegionTime region={region} isNearest={region.code === view.nearest} now={now} />
            </td>
            <td className={styles.urls}>
              <RegionUrls urls={(region.isOwn ? own : undefined) ?? region} />
            </td>
            <td className={styles.actions}>
              {isEditable ? (
                <span className={styles.buttons}>
                  <IconButton
                    label={`Edit ${formatRegion(region.code)}`}
                    icon={<Pencil aria-hidden />}
                    onClick={() => onEdit(region)}
                  />
                  {view.listed.some(({ code }) => code === region.code) ? (
                    <IconButton
                      label={`Remove ${formatRegion(region.code)}`}
                      icon={<Trash2 aria-hidden />}
                      onClick={() => onRemove(region)}
                    />
                  ) : null}
                </span>
              ) : null}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function RegionTime({ region, isNearest, now }: { region: RegionView; isNearest: boolean; now: number }) {
  const { time, isMeasuring } = region;
  const age = isMeasuring ? 'Measuring…' : time && formatAge(time.measuredAt, now);
  const state = time === undefined ? (isMeasuring ? 'measuring' : 'unknown') : time.kind;
  return (
    <div className={styles.time} data-state={state}>
      {time?.kind === 'failed' ? (
        <p className={styles.failed}>
          <SeverityIcon severity="warn" size={16} />
          <span>
            <strong>Can't be reached.</strong> <span>{describeIngestFailure(time.failure)}</span>
          </span>
        </p>
      ) : (
        <p className={styles.ms}>
          <span>{time === undefined ? unknownValue : withUnit(formatDecimal(time.ms, time.ms < 10 ? 1 : 0), 'ms')}</span>
          {isNearest ? (
            <span className={styles.nearest}>
              <CircleCheck aria-hidden size={14} /> Nearest
            </span>
          ) : null}
        </p>
      )}
      {age === undefined ? null : <small>{age}</small>}
    </div>
  );
}

function RegionUrls({ urls: { ingest, playback } }: { urls: Pick<RegionView, 'ingest' | 'playback'> }) {
  return (
    <>
      <span>{ingest}</span>
      <span>{playback}</span>
    </>
  );
}
