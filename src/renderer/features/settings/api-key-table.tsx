import type { ApiKey } from '../../../shared/model/api-key.ts';
import { Button } from '../../components/button.tsx';
import tableStyles from '../../components/table.module.css';
import unseenStyles from '../../components/unseen.module.css';
import { coarseAgeStepMs, formatCoarseAge } from '../../format/age.ts';
import { formatDay } from '../../format/moment.ts';
import { useServiceNow } from '../../hooks/use-service-now.ts';
import styles from './api-key-table.module.css';

/** The existing keys, each with a button that revokes it. */
export function ApiKeyTable({ keys, onRevoke }: { keys: readonly ApiKey[]; onRevoke: (key: ApiKey) => void }) {
  const now = useServiceNow(coarseAgeStepMs);
  return (
    <table className={`${tableStyles.table} ${styles.table}`}>
      <thead>
        <tr>
          <th scope="col">Name</th>
          <th scope="col">Created</th>
          <th scope="col">Last used</th>
          <th scope="col">
            <span className={unseenStyles.unseen}>Revoke</span>
          </th>
        </tr>
      </thead>
      <tbody>
        {keys.map((key) => (
          <tr key={key.id}>
            <th scope="row" className={styles.name} dir="auto" title={key.name}>
              {key.name}
            </th>
            <td>{formatDay(key.createdAt)}</td>
            <td>{key.lastUsedAt === undefined ? 'never' : formatCoarseAge(key.lastUsedAt, now)}</td>
            <td className={styles.action}>
              <Button kind="danger" aria-label={`Revoke ${key.name}`} onClick={() => onRevoke(key)}>
                Revoke
              </Button>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
