import { Plus } from 'lucide-react';
import { useState } from 'react';
import { isolateName } from '../../../shared/isolate-name.ts';
import type { StreamView } from '../../../shared/model/views.ts';
import { describeRemoteFailure } from '../../../shared/words/remote-failure-words.ts';
import { Button } from '../../components/button.tsx';
import { FailureNotice } from '../../components/failure-notice.tsx';
import { Notice } from '../../components/notice.tsx';
import screenStyles from '../../components/screen.module.css';
import { useAction } from '../../hooks/use-action.ts';
import { useIsContactLost } from '../../hooks/use-lost-contact.ts';
import { useRemoteServices } from '../../hooks/use-remote-services.ts';
import { goTo } from '../../hooks/use-route.ts';
import { useScreenTitle } from '../../hooks/use-screen-title.ts';
import { listStreams, useServiceStreams } from '../../hooks/use-service-streams.ts';
import { useSubject } from '../../hooks/use-subject.ts';
import { useToasts } from '../../hooks/use-toasts.ts';
import { findServiceId, inService, type Route } from '../../routing/route.ts';
import { useStore } from '../../store/store-context.tsx';
import { DeleteStreamDialog } from './delete-stream-dialog.tsx';
import { EditStreamDialog } from './edit-stream-dialog.tsx';
import { findStreams, isSearchable } from './find-streams.ts';
import { FirstStream } from './first-stream.tsx';
import { NewStreamDialog } from './new-stream-dialog.tsx';
import { RenewKeyDialog } from './renew-key-dialog.tsx';
import { ServiceSwitch } from './service-switch.tsx';
import { StreamSearch } from './stream-search.tsx';
import { StreamTable } from './stream-table.tsx';
import styles from './streams-screen.module.css';
import { asksToSuspend, SuspendStreamDialog } from './suspend-stream-dialog.tsx';

/** A question about a stream. */
type Question = 'delete' | 'new-key' | 'suspend';

/** Every stream of a service with its state, and the dialogs that create, change and delete them. */
export function StreamsScreen({ route }: { route: Route }) {
  const serviceId = findServiceId(route);
  const streams = useServiceStreams(serviceId);
  const isLost = useIsContactLost(listStreams(useStore(), serviceId));
  const service = useRemoteServices().find(({ id }) => id === serviceId);
  const toasts = useToasts();
  const [question, setQuestion] = useState<Question>();
  const [sought, setSought] = useState('');
  const suspend = useAction(
    async (client, { id, name }: StreamView, isSuspended: boolean) => {
      await client.stream.update({ streamId: id, changes: { suspended: isSuspended } });
      toasts.say(isSuspended ? `${isolateName(name)} suspended` : `${isolateName(name)} resumed`);
    },
    { about: serviceId, ifGone: ({ name }, isSuspended) => [name, isSuspended ? "wasn't suspended" : "wasn't resumed"] },
  );
  useScreenTitle('Streams');
  const all = streams.kind === 'known' ? streams.value.filter((stream) => stream.serviceId === serviceId) : undefined;
  const found = all === undefined ? [] : findStreams(all, isSearchable(all) ? sought : '');
  const edited = route.kind === 'edit-stream' ? all?.find((stream) => stream.id === route.streamId) : undefined;
  const asked = useSubject(all ?? [], ({ id }) => id);
  const ask = (next: Question, stream: StreamView) => {
    setQuestion(next);
    asked.ask(stream);
  };
  const askedOf = (about: Question) => (about === question ? asked.subject : undefined);
  const toList = () => goTo(inService('streams', serviceId));

  return (
    <main className={screenStyles.screen} id="main" tabIndex={-1}>
      <div className={`${screenStyles.column} ${styles.column}`}>
        <div className={styles.head}>
          <h1 className={styles.title}>Streams</h1>
          <div className={styles.tools}>
            <ServiceSwitch serviceId={serviceId} />
            {all !== undefined && all.length > 0 ? (
              <Button kind="primary" icon={<Plus aria-hidden />} onClick={() => goTo(inService('new-stream', serviceId))}>
                New stream
              </Button>
            ) : null}
          </div>
        </div>
        {service?.failure === undefined || all === undefined ? null : (
          <Notice severity="warn" title={`No contact with ${service.name}`}>
            {`${describeRemoteFailure(service.failure, { wasFine: true })} This list may be out of date.`}
          </Notice>
        )}
        <FailureNotice failure={suspend.failure} />
        {streams.kind === 'waiting' ? <Waiting /> : null}
        {streams.kind === 'failed' ? (
          <Notice severity="bad" title={`Can't show the streams${service === undefined ? '' : ` of ${service.name}`}`}>
            {streams.failure.sentence}
          </Notice>
        ) : null}
        {all?.length === 0 ? <FirstStream key={serviceId ?? ''} serviceId={serviceId} /> : null}
        {all !== undefined && isSearchable(all) ? (
          <StreamSearch value={sought} onValue={setSought} found={found.length} />
        ) : null}
        {all !== undefined && all.length > 0 && found.length > 0 ? (
          <StreamTable
            streams={found}
            isLost={isLost}
            onSuspend={(stream, isSuspended) => {
              if (isSuspended && asksToSuspend(stream)) ask('suspend', stream);
              else void suspend.run(stream, isSuspended);
            }}
            onRenewKey={(stream) => ask('new-key', stream)}
            onDelete={(stream) => ask('delete', stream)}
          />
        ) : null}
      </div>
      <NewStreamDialog isOpen={route.kind === 'new-stream'} service={service} serviceId={serviceId} onClose={toList} />
      <EditStreamDialog stream={edited} onClose={toList} />
      <RenewKeyDialog stream={askedOf('new-key')} onClose={asked.close} />
      <SuspendStreamDialog stream={askedOf('suspend')} suspend={suspend} onClose={asked.close} />
      <DeleteStreamDialog stream={askedOf('delete')} onClose={asked.close} />
    </main>
  );
}

function Waiting() {
  return (
    <div className={styles.waiting} role="status" aria-label="Loading streams">
      {[0, 1, 2].map((row) => (
        <span className={styles.bone} key={row} />
      ))}
    </div>
  );
}
