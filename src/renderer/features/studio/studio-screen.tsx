import { SearchX, Unplug } from 'lucide-react';
import type { Failure } from '../../client/failure.ts';
import { StatusStrip } from '../../components/status-strip.tsx';
import unseenStyles from '../../components/unseen.module.css';
import { useDocumentTitle } from '../../hooks/use-document-title.ts';
import { useLiveValue } from '../../hooks/use-live-value.ts';
import { formatRoute } from '../../routing/route.ts';
import { useStore } from '../../store/store-context.tsx';
import { Studio, type StudioSlots } from './studio.tsx';
import styles from './studio-screen.module.css';

interface StudioScreenProps extends StudioSlots {
  streamId: string;
}

/** Studio of one stream, or what to show until the stream is known or if it doesn't exist. */
export function StudioScreen({ streamId, ...slots }: StudioScreenProps) {
  const store = useStore();
  const live = useLiveValue(store.stream(streamId));
  const service = useLiveValue(store.service);
  if (live.kind === 'known' && service.kind === 'known') {
    return <Studio key={streamId} live={live.value} service={service.value} {...slots} />;
  }
  if (live.kind === 'failed') return <Missing failure={live.failure} />;
  return <Waiting />;
}

function Waiting() {
  useDocumentTitle('Tallylight');
  return (
    <>
      <StatusStrip tone="calm" name={<span className={styles.bone} aria-hidden />} />
      <main className={styles.centre} id="main" tabIndex={-1} aria-busy="true">
        <h1 className={unseenStyles.unseen}>Studio</h1>
        <p role="status">Opening Studio…</p>
      </main>
    </>
  );
}

function Missing({ failure }: { failure: Failure }) {
  const isElsewhere = failure.code === 'REMOTE_FAILED';
  const title = isElsewhere ? 'No contact with the service' : 'Stream not found';
  useDocumentTitle(`${title} · Tallylight`);
  return (
    <>
      <StatusStrip tone="calm" name="Studio" />
      <main className={styles.centre} id="main" tabIndex={-1}>
        {isElsewhere ? <Unplug aria-hidden size={36} strokeWidth={1.4} /> : <SearchX aria-hidden size={36} strokeWidth={1.4} />}
        <h1 className={styles.title}>{title}</h1>
        <p>
          {failure.code === 'NOT_FOUND' ? 'It was deleted, or the address is incomplete.' : failure.sentence}
          {isElsewhere ? ' Tallylight keeps asking.' : null}
        </p>
        <a href={formatRoute({ kind: 'streams' })}>Show all streams</a>
      </main>
    </>
  );
}
