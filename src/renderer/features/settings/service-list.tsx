import type { RemoteServiceView } from '../../../shared/model/remote-service.ts';
import { describeRemoteFailure } from '../../../shared/words/remote-failure-words.ts';
import { describePlainIngests } from '../../../shared/words/remote-service-words.ts';
import { Button } from '../../components/button.tsx';
import { SeverityIcon } from '../../components/severity-icon.tsx';
import styles from './service-list.module.css';

interface ServiceListProps {
  services: readonly RemoteServiceView[];
  onEdit: (service: RemoteServiceView) => void;
  onRemove: (service: RemoteServiceView) => void;
}

/** The remote services, each with what is wrong with it, if anything. */
export function ServiceList({ services, onEdit, onRemove }: ServiceListProps) {
  return (
    <ul className={styles.list} aria-label="Remote services">
      {services.map((service) => (
        <li key={service.id} className={styles.row}>
          <div className={styles.words}>
            <span className={styles.name} dir="auto">
              {service.name}
            </span>
            <span className={styles.address}>{service.baseUrl}</span>
            {service.plainIngests === undefined ? null : (
              <span className={styles.state}>
                <SeverityIcon severity="warn" size={16} named />
                {describePlainIngests(service.plainIngests)}
              </span>
            )}
            {service.failure === undefined ? null : (
              <span className={styles.state}>
                <SeverityIcon severity="warn" size={16} named />
                <span>{describeRemoteFailure(service.failure)}</span>
              </span>
            )}
          </div>
          <div className={styles.actions}>
            <Button aria-label={`Edit ${service.name}`} onClick={() => onEdit(service)}>
              Edit
            </Button>
            <Button kind="danger" aria-label={`Remove ${service.name}`} onClick={() => onRemove(service)}>
              Remove
            </Button>
          </div>
        </li>
      ))}
    </ul>
  );
}
