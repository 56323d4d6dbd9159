import { SelectField } from '../../components/select-field.tsx';
import { useRemoteServices } from '../../hooks/use-remote-services.ts';
import { goTo } from '../../hooks/use-route.ts';
import { inService } from '../../routing/route.ts';
import styles from './streams-screen.module.css';

/** The value for this computer, which is no service's id. */
const here = '';

/** Chooses the service whose streams are listed. Without remote services there is nothing to choose. */
export function ServiceSwitch({ serviceId }: { serviceId: string | undefined }) {
  const services = useRemoteServices();
  if (services.length === 0) return null;
  const remote = services.map(({ id, name, failure }) => ({
    value: id,
    label: name,
    ...(failure && { note: 'No contact' }),
  }));
  return (
    <div className={styles.service}>
      <SelectField
        label="Service"
        value={serviceId ?? here}
        onValue={(chosen) => goTo(inService('streams', chosen === here ? undefined : chosen))}
        options={[{ value: here, label: 'This computer' }, ...remote]}
      />
    </div>
  );
}
