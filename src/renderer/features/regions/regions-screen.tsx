import { Plus, RefreshCw } from 'lucide-react';
import { useId, useState } from 'react';
import type { RegionsView } from '../../../shared/model/region.ts';
import { describeSettingSource } from '../../../shared/words/setting-words.ts';
import { seenFromPage } from '../../client/seen-from-page.ts';
import { Button } from '../../components/button.tsx';
import { FailureNotice } from '../../components/failure-notice.tsx';
import screenStyles from '../../components/screen.module.css';
import { Unshown } from '../../components/unshown.tsx';
import { useAction } from '../../hooks/use-action.ts';
import { useLiveValue } from '../../hooks/use-live-value.ts';
import { useScreenTitle } from '../../hooks/use-screen-title.ts';
import { useSubject } from '../../hooks/use-subject.ts';
import { useStore } from '../../store/store-context.tsx';
import { LiveRegion } from './live-region.tsx';
import { NetworkList } from './network-list.tsx';
import { type EditedRegion, RegionDialog } from './region-dialog.tsx';
import { RegionTable } from './region-table.tsx';
import styles from './regions-screen.module.css';
import { RemoveRegionDialog } from './remove-region-dialog.tsx';

/** The service's regions: how far away each one is, and which callers are nearest to which. */
export function RegionsScreen() {
  const regions = useLiveValue(useStore().regions);
  useScreenTitle('Regions');
  return (
    <main className={screenStyles.screen} id="main" tabIndex={-1}>
      <div className={`${screenStyles.column} ${screenStyles.narrow}`}>
        <h1 className={screenStyles.title}>Regions</h1>
        {regions.kind === 'known' ? <Regions view={regions.value} /> : <Unshown what="the regions" snapshot={regions} />}
      </div>
    </main>
  );
}

function Regions({ view }: { view: RegionsView }) {
  const id = useId();
  const service = useLiveValue(useStore().service);
  const own = service.kind === 'known' ? seenFromPage(window, service.value) : undefined;
  const sources = own?.settingSources ?? {};
  const [edited, setEdited] = useState<EditedRegion>();
  const doomed = useSubject(view.regions, ({ code }) => code);
  const measure = useAction((client) => client.region.measure());
  const isMeasuring = view.regions.some((region) => region.isMeasuring);
  return (
    <>
      <section aria-labelledby={`${id}-regions`} className={styles.section}>
        <div className={styles.head}>
          <h2 id={`${id}-regions`} className={styles.heading}>
            {view.regions.length === 1 ? 'One region: this computer' : `${view.regions.length} regions`}
          </h2>
          <Button icon={<RefreshCw aria-hidden />} isPending={isMeasuring} onClick={() => void measure.run()}>
            {isMeasuring ? 'Measuring…' : 'Measure again'}
          </Button>
          {sources.regions === undefined ? (
            <Button icon={<Plus aria-hidden />} onClick={() => setEdited({ kind: 'new' })}>
              Add region
            </Button>
          ) : null}
        </div>
        <p className={styles.about}>
          How long a connection from this computer takes: the median of five. Give every computer of your domain the same list.
          {sources.regions === undefined ? '' : ` The list is set ${describeSettingSource(sources.regions)}.`}
        </p>
        <FailureNotice failure={measure.failure} />
        <RegionTable
          view={view}
          own={own && { ingest: own.ingestBaseUrl, playback: own.playbackBaseUrl }}
          isEditable={sources.regions === undefined}
          onEdit={({ code, isOwn }) => setEdited({ kind: 'known', code, isOwn })}
          onRemove={doomed.ask}
        />
      </section>
      <section aria-labelledby={`${id}-live`} className={styles.section}>
        <h2 id={`${id}-live`} className={styles.heading}>
          Go live
        </h2>
        <LiveRegion view={view} sources={sources} />
      </section>
      <section aria-labelledby={`${id}-networks`} className={styles.section}>
        <h2 id={`${id}-networks`} className={styles.heading}>
          Callers from elsewhere
        </h2>
        <p className={styles.about}>
          Programs on other computers that ask for the nearest ingest get the region of their network; the longest prefix wins.
          {sources.regionNetworks === undefined
            ? ''
            : ` The networks are set ${describeSettingSource(sources.regionNetworks)}.`}
        </p>
        <NetworkList view={view} isEditable={sources.regionNetworks === undefined} />
      </section>
      <RegionDialog edited={edited} view={view} onClose={() => setEdited(undefined)} />
      <RemoveRegionDialog region={doomed.subject} view={view} onClose={doomed.close} />
    </>
  );
}
