import { TriangleAlert, X } from 'lucide-react';
import { useState } from 'react';
import { describeNotice } from '../../../shared/words/notice-words.ts';
import { IconButton } from '../../components/icon-button.tsx';
import { useLiveValue } from '../../hooks/use-live-value.ts';
import { useStore } from '../../store/store-context.tsx';
import styles from './banner.module.css';

/** What the user should know about start-up, until dismissed; Settings keeps it. */
export function ServiceNotices() {
  const service = useLiveValue(useStore().service);
  const [dismissed, setDismissed] = useState<ReadonlySet<string>>(new Set());
  const notices = service.kind === 'known' ? service.value.notices.map(describeNotice) : [];
  return notices
    .filter((notice) => !dismissed.has(notice))
    .map((notice) => (
      <div className={styles.banner} key={notice} role="status">
        <TriangleAlert aria-hidden size={16} />
        <span className={styles.words}>{notice}</span>
        <IconButton label="Dismiss" icon={<X aria-hidden />} onClick={() => setDismissed(new Set(dismissed).add(notice))} />
      </div>
    ));
}
