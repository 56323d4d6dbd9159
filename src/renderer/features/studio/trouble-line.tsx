import type { Verdict } from '../../../shared/model/verdict.ts';
import { describeVerdict } from '../../../shared/words/verdict-words.ts';
import { Button } from '../../components/button.tsx';
import { SeverityIcon } from '../../components/severity-icon.tsx';
import styles from './trouble-line.module.css';

/** What is wrong, in one line below the monitor, for windows too narrow for Health beside it. */
export function TroubleLine({ verdict }: { verdict: Verdict | undefined }) {
  if (verdict === undefined || verdict.severity === 'good') return null;
  return (
    <div className={styles.line}>
      <SeverityIcon severity={verdict.severity} size={16} named />
      <b className={styles.title}>{describeVerdict(verdict).title}</b>
      <Button kind="text" onClick={showHealth}>
        Show health
      </Button>
    </div>
  );
}

function showHealth() {
  document.querySelector('aside')?.scrollIntoView();
}
