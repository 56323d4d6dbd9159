import { TriangleAlert, X } from 'lucide-react';
import type { ServiceNotice } from '../../../shared/model/service-notice.ts';
import { describeNotice } from '../../../shared/words/notice-words.ts';
import { IconButton } from '../../components/icon-button.tsx';
import { useDismissed } from '../../hooks/use-dismissed.ts';
import { useLiveValue } from '../../hooks/use-live-value.ts';
import { useStore } from '../../store/store-context.tsx';
import styles from './banner.module.css';

/** What the user should know about the service, until dismissed; Settings keeps it. */
export function ServiceNotices() {
  const service = useLiveValue(useStore().service);
  const notices = service.kind === 'known' ? service.value.notices.map(identify) : undefined;
  const { isDismissed, dismiss } = useDismissed(
    'notices of the service',
    notices?.map(({ id }) => id),
  );
  return notices
    ?.filter(({ id }) => !isDismissed(id))
    .map(({ id, words }) => (
      <div className={styles.banner} key={id} role="status">
        <TriangleAlert aria-hidden size={16} />
        <span className={styles.words}>{words}</span>
        <IconButton label="Dismiss" icon={<X aria-hidden />} onClick={() => dismiss(id)} />
      </div>
    ));
}

/** Notices with the same words count as one. Fewer replaced keys, because a stream was deleted, aren't news either. */
function identify(notice: ServiceNotice): { id: string; words: string } {
  const words = describeNotice(notice);
  return { id: notice.code === 'keys-replaced' ? notice.code : words, words };
}
