import { TriangleAlert } from 'lucide-react';
import { useState } from 'react';
import { formatBitrate } from '../../../shared/format-count.ts';
import { isolateName } from '../../../shared/isolate-name.ts';
import { bitrateBps } from '../../../shared/model/profile.ts';
import type { StreamView } from '../../../shared/model/views.ts';
import { AirMark } from '../../components/air-mark.tsx';
import { Button } from '../../components/button.tsx';
import tableStyles from '../../components/table.module.css';
import unseenStyles from '../../components/unseen.module.css';
import { coarseAgeStepMs, formatCoarseAge } from '../../format/age.ts';
import { useServiceNow } from '../../hooks/use-service-now.ts';
import { formatRoute } from '../../routing/route.ts';
import { type AirStatus, describeAir, formatOnAirTime, isCounted, noContact } from '../../status/air-status.ts';
import { listRenditionNames } from '../../status/rendition-status.ts';
import { StreamMenu } from './stream-menu.tsx';
import styles from './stream-table.module.css';

interface StreamTableProps {
  streams: readonly StreamView[];
  /** Whether the list is from before contact was lost. */
  isLost: boolean;
  onSuspend: (stream: StreamView, isSuspended: boolean) => void;
  onRenewKey: (stream: StreamView) => void;
  onDelete: (stream: StreamView) => void;
}

/** Rows shown at first, and added with each press of the button: a service may have thousands of streams. */
const rowsPerStep = 100;

/** The streams, newest first; a row opens its Studio. */
export function StreamTable({ streams, isLost, onSuspend, onRenewKey, onDelete }: StreamTableProps) {
  const now = useServiceNow(coarseAgeStepMs);
  const [rows, setRows] = useState(rowsPerStep);
  return (
    <>
      <table className={`${tableStyles.table} ${styles.table}`}>
        <thead>
          <tr>
            <th scope="col">Name</th>
            <th scope="col">State</th>
            <th scope="col" className={styles.lastSeen}>
              Last seen
            </th>
            <th scope="col" className={styles.wide}>
              Renditions
            </th>
            <th scope="col">
              <span className={unseenStyles.unseen}>More</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {streams.slice(0, rows).map((stream) => (
            <StreamRow
              key={stream.id}
              stream={stream}
              status={isLost ? noContact : describeAir(stream)}
              now={now}
              onSuspend={(isSuspended) => onSuspend(stream, isSuspended)}
              onRenewKey={() => onRenewKey(stream)}
              onDelete={() => onDelete(stream)}
            />
          ))}
        </tbody>
      </table>
      {streams.length > rows ? (
        <div>
          <Button onClick={() => setRows(rows + rowsPerStep)}>Show {Math.min(rowsPerStep, streams.length - rows)} more</Button>
        </div>
      ) : null}
    </>
  );
}

interface StreamRowProps {
  stream: StreamView;
  status: AirStatus;
  now: number;
  onSuspend: (isSuspended: boolean) => void;
  onRenewKey: () => void;
  onDelete: () => void;
}

function StreamRow({ stream, status, now, onSuspend, onRenewKey, onDelete }: StreamRowProps) {
  const profiles = stream.profiles ?? [];
  return (
    <tr className={styles.row} data-state={status.kind}>
      <th scope="row" className={styles.name}>
        <a className={styles.open} dir="auto" title={stream.name} href={formatRoute({ kind: 'studio', streamId: stream.id })}>
          {stream.name}
        </a>
      </th>
      <td>
        <RowState status={status} />
      </td>
      <td className={`${styles.weak} ${styles.lastSeen}`}>
        {stream.lastSeen === 0 ? 'never' : formatCoarseAge(stream.lastSeen, now)}
      </td>
      <td
        className={`${styles.weak} ${styles.wide} ${styles.profiles}`}
        dir="auto"
        title={profiles.map(({ name, bitrate }) => `${isolateName(name)} · ${formatBitrate(bitrateBps(bitrate))}`).join('\n')}
      >
        {listRenditionNames(profiles, ' · ')}
      </td>
      <td className={styles.menu}>
        <StreamMenu stream={stream} onSuspend={onSuspend} onRenewKey={onRenewKey} onDelete={onDelete} />
      </td>
    </tr>
  );
}

/** The state and its times. It counts on its own, so that rows without a broadcast don't render again. */
function RowState({ status }: { status: AirStatus }) {
  // As the bar above counts.
  const now = useServiceNow(500, isCounted(status));
  const time = formatOnAirTime(status, now);
  return (
    <span className={styles.state}>
      <AirMark status={status} size="small" nowMs={now} />
      {status.kind === 'lost' ? <span className={styles.weak}>broadcast lost</span> : null}
      {time === undefined ? null : <span className={styles.weak}>{time}</span>}
      {status.isWarned ? (
        <span className={styles.trouble}>
          <TriangleAlert aria-hidden />
          in trouble
        </span>
      ) : null}
    </span>
  );
}
