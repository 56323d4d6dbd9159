import { SearchX, Unplug } from 'lucide-react';
import type { Failure } from '../../client/failure.ts';
import { StatusStrip } from '../../components/status-strip.tsx';
import unseenStyles from '../../components/unseen.module.css';
import { useDocumentTitle } from '../../hooks/use-document-title.ts';
import { useLiveValue } from '../../hooks/use-live-value.ts';
import { formatRoute } from '../../routing/route.ts';
import { isFinal } from '../../store/live-value.ts';
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
    return <Studio key={streamId} live={live.value} refused={live.refused} service={service.value} {...slots} />;
  }
  if (live.kind === 'failed') return <Missing failure={live.failure} />;
  if (service.kind === 'failed') return <Missing failure={service.failure} />;
  return <Waiting />;
}

function Waiting() {
  useDocumentTitle('Tallylight', undefined);
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

/** By the code of the failure. */
const titles: Readonly<Partial<Record<string, string>>> = {
  NOT_FOUND: 'Stream not found',
  REMOTE_FAILED: 'No contact with the service',
};

function Missing({ failure }: { failure: Failure }) {
  const isGone = failure.code === 'NOT_FOUND';
  const title = titles[failure.code] ?? "Can't show this stream";
  useDocumentTitle(`${title} · Tallylight`, undefined);
  const Icon = isGone ? SearchX : Unplug;
  return (
    <>
      <StatusStrip tone="calm" name="Studio" />
      <main className={styles.centre} id="main" tabIndex={-1}>
        <Icon aria-hidden size={36} strokeWidth={1.4} />
        <h1 className={styles.title}>{title}</h1>
        <p>
          {`${isGone ? 'It was deleted, or the address is incomplete.' : failure.sentence}${isFinal(failure) ? '' : ' Tallylight keeps asking.'}`}
        </p>
        <a href={formatRoute({ kind: 'streams' })}>Show all streams</a>
      </main>
    </>
  );
}
