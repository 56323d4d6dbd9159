import { Notice } from '../../components/notice.tsx';
import screenStyles from '../../components/screen.module.css';
import { useDocumentTitle } from '../../hooks/use-document-title.ts';
import { useLiveValue } from '../../hooks/use-live-value.ts';
import { useStore } from '../../store/store-context.tsx';
import { ApiKeys } from './api-keys.tsx';
import { ServiceFacts } from './service-facts.tsx';
import { ServiceSettings } from './service-settings.tsx';
import styles from './settings-screen.module.css';

/** API keys, what can be set, and what this installation is made of. */
export function SettingsScreen() {
  const service = useLiveValue(useStore().service);
  useDocumentTitle('Settings · Tallylight');
  const info = service.kind === 'known' ? service.value : undefined;
  return (
    <main className={screenStyles.screen} id="main" tabIndex={-1}>
      <div className={`${screenStyles.column} ${styles.column}`}>
        <h1 className={styles.title}>Settings</h1>
        {info?.notices.map((notice) => (
          <Notice key={notice} severity="warn">
            {notice}
          </Notice>
        ))}
        <ApiKeys apiBaseUrl={info?.apiBaseUrl} />
        <ServiceSettings running={info} />
        {info === undefined ? null : <ServiceFacts info={info} />}
      </div>
    </main>
  );
}
