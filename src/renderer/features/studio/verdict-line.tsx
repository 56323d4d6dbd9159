import type { Verdict } from '../../../shared/model/verdict.ts';
import { titleOf } from '../../../shared/words/verdict-words.ts';
import { Button } from '../../components/button.tsx';
import { SeverityIcon } from '../../components/severity-icon.tsx';
import styles from './verdict-line.module.css';

/** Whether all is well, and if not, what is wrong: one line below the monitor, for windows too narrow for Health beside it. */
export function VerdictLine({ verdict }: { verdict: Verdict | undefined }) {
  if (verdict === undefined) return null;
  return (
    <div className={styles.line} data-severity={verdict.severity}>
      <SeverityIcon severity={verdict.severity} size={22} named />
      <b className={styles.title}>{titleOf(verdict)}</b>
      <Button kind="text" onClick={showHealth}>
        Show health
      </Button>
    </div>
  );
}

function showHealth() {
  const health = document.querySelector('aside');
  health?.scrollIntoView();
  health?.focus({ preventScroll: true });
}
