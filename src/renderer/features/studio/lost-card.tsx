import { BellRing, ListTree } from 'lucide-react';
import type { EndedBroadcast } from '../../../shared/model/live.ts';
import { useAlertSettings } from '../../alerts/use-alert-settings.ts';
import { Button } from '../../components/button.tsx';
import { Notice } from '../../components/notice.tsx';
import { coarseAgeStepMs } from '../../format/age.ts';
import { useNow } from '../../hooks/use-now.ts';
import { describeLost } from '../../status/ended-broadcast.ts';
import styles from './lost-card.module.css';
import type { Broadcast } from './use-broadcast.ts';

interface LostCardProps {
  lost: EndedBroadcast | undefined;
  clockOffsetMs: number;
  broadcast: Broadcast;
}

/** A broadcast that ended by accident. The card stays until it is dismissed or the next broadcast is on air. */
export function LostCard({ lost, clockOffsetMs, broadcast }: LostCardProps) {
  const { canAsk, ask } = useAlertSettings();
  const now = useNow(coarseAgeStepMs, lost !== undefined);
  if (lost === undefined) return null;
  const { title, sentence, cause } = describeLost(lost, clockOffsetMs, now);
  return (
    <Notice
      severity="bad"
      title={title}
      details={cause === undefined ? null : <p className={styles.cause}>{cause}</p>}
      actions={
        <>
          <Button icon={<ListTree aria-hidden />} onClick={showWhatHappened}>
            What happened
          </Button>
          {canAsk ? (
            <Button icon={<BellRing aria-hidden />} onClick={ask}>
              Notify me next time
            </Button>
          ) : null}
          <Button kind="text" onClick={() => void broadcast.dismissLost.run(lost.sessionId)}>
            Dismiss
          </Button>
        </>
      }
    >
      {sentence}
    </Notice>
  );
}

function showWhatHappened() {
  const heading = document.getElementById('what-happened');
  heading?.scrollIntoView({ block: 'center' });
  const section = heading?.closest('section');
  section?.setAttribute('tabindex', '-1');
  section?.focus({ preventScroll: true });
}
