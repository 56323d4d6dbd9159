import { TriangleAlert, X } from 'lucide-react';
import { describeNotice } from '../../../shared/words/notice-words.ts';
import { IconButton } from '../../components/icon-button.tsx';
import { useDismissed } from '../../hooks/use-dismissed.ts';
import { useLiveValue } from '../../hooks/use-live-value.ts';
import { useStore } from '../../store/store-context.tsx';
import styles from './banner.module.css';

/** What the user should know about the service, until dismissed; Settings keeps it. */
export function ServiceNotices() {
  const service = useLiveValue(useStore().service);
  const notices = service.kind === 'known' ? service.value.notices.map(describeNotice) : undefined;
  const { isDismissed, dismiss } = useDismissed('notices of the service', notices);
  return notices
    ?.filter((notice) => !isDismissed(notice))
    .map((notice) => (
      <div className={styles.banner} key={notice} role="status">
        <TriangleAlert aria-hidden size={16} />
        <span className={styles.words}>{notice}</span>
        <IconButton label="Dismiss" icon={<X aria-hidden />} onClick={() => dismiss(notice)} />
      </div>
    ));
}
