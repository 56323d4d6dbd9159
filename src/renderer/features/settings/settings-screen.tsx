import { describeNotice } from '../../../shared/words/notice-words.ts';
import { seenFromPage } from '../../client/seen-from-page.ts';
import { Notice } from '../../components/notice.tsx';
import screenStyles from '../../components/screen.module.css';
import { useLiveValue } from '../../hooks/use-live-value.ts';
import { useScreenTitle } from '../../hooks/use-screen-title.ts';
import { useStore } from '../../store/store-context.tsx';
import { AlertSettingsGroup } from './alert-settings-group.tsx';
import { ApiKeys } from './api-keys.tsx';
import { ServiceFacts } from './service-facts.tsx';
import { ServiceSettings } from './service-settings.tsx';
import { ServicesGroup } from './services-group.tsx';

/** The settings, the API keys of other programs, and facts about this installation. */
export function SettingsScreen() {
  const service = useLiveValue(useStore().service);
  useScreenTitle('Settings');
  const info = service.kind === 'known' ? seenFromPage(window, service.value) : undefined;
  return (
    <main className={screenStyles.screen} id="main" tabIndex={-1}>
      <div className={`${screenStyles.column} ${screenStyles.narrow}`}>
        <h1 className={screenStyles.title}>Settings</h1>
        {info?.notices.map(describeNotice).map((notice) => (
          <Notice key={notice} severity="warn">
            {notice}
          </Notice>
        ))}
        <AlertSettingsGroup />
        <ServiceSettings running={info} />
        <ServicesGroup />
        <ApiKeys apiBaseUrl={info?.apiBaseUrl} />
        {info === undefined ? null : <ServiceFacts info={info} />}
      </div>
    </main>
  );
}
