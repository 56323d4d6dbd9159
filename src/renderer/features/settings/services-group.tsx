import { Plus, Server } from 'lucide-react';
import { useState } from 'react';
import { Button } from '../../components/button.tsx';
import { Unshown } from '../../components/unshown.tsx';
import { useLiveValue } from '../../hooks/use-live-value.ts';
import { useSubject } from '../../hooks/use-subject.ts';
import { useStore } from '../../store/store-context.tsx';
import emptyStyles from './api-keys.module.css';
import { RemoveServiceDialog } from './remove-service-dialog.tsx';
import { type EditedService, ServiceDialog } from './service-dialog.tsx';
import { ServiceList } from './service-list.tsx';
import { SettingsGroup } from './settings-group.tsx';

/** Services on other computers: added after a check, listed with whether they answer, edited, removed. */
export function ServicesGroup() {
  const services = useLiveValue(useStore().remoteServices);
  const [edited, setEdited] = useState<EditedService>();
  const known = services.kind === 'known' ? services.value : [];
  const doomed = useSubject(known, ({ id }) => id);
  return (
    <SettingsGroup
      title="Services"
      about="Streams of another Tallylight, or of any service with the same API, shown here beside your own. Go live from here sends to its nearest region; renditions are made there."
    >
      {services.kind === 'known' && known.length === 0 ? (
        <p className={emptyStyles.empty}>
          <Server aria-hidden size={16} /> This computer only. It needs no other service.
        </p>
      ) : null}
      {services.kind === 'failed' ? <Unshown what="the services" snapshot={services} /> : null}
      {known.length === 0 ? null : (
        <ServiceList services={known} onEdit={(service) => setEdited({ kind: 'known', service })} onRemove={doomed.ask} />
      )}
      <div>
        <Button icon={<Plus aria-hidden />} onClick={() => setEdited({ kind: 'new' })}>
          Add service…
        </Button>
      </div>
      <ServiceDialog edited={edited} onClose={() => setEdited(undefined)} />
      <RemoveServiceDialog service={doomed.subject} onClose={doomed.close} />
    </SettingsGroup>
  );
}
