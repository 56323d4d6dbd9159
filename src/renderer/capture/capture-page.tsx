import { MonitorUp, RotateCw, Square } from 'lucide-react';
import { useSyncExternalStore } from 'react';
import { assertNever } from '../../shared/assert-never.ts';
import { type PageCapture, usesPicker } from '../../shared/model/page-capture.ts';
import { describePageCapture } from '../../shared/words/page-capture-words.ts';
import { Button } from '../components/button.tsx';
import { Notice } from '../components/notice.tsx';
import { SessionEnded } from '../components/session-ended.tsx';
import { useConnectionState } from '../hooks/use-connection-state.ts';
import { useIsContactLost } from '../hooks/use-lost-contact.ts';
import type { CaptureDesk, CaptureWork } from './capture-desk.ts';
import styles from './capture-page.module.css';

/** The capture tab of a browser: its captures, and its questions to the user. In the app the same page is never visible. */
export function CapturePage({ desk, onAgain }: { desk: CaptureDesk; onAgain: (captureId: string) => void }) {
  const work = useSyncExternalStore(desk.onChange, desk.work);
  const isLost = useIsContactLost();
  const captures = work.kind === 'works' ? work.captures : [];
  return (
    <main className={styles.page}>
      <h1 className={styles.title}>{work.kind === 'replaced' ? 'Another tab captures' : 'Tallylight captures in this tab'}</h1>
      <p className={styles.note} role="status">
        <Note work={work} isLost={isLost} />
      </p>
      <ul className={styles.captures} aria-label="Captures">
        {captures.map((capture) => (
          <li key={capture.captureId} data-state={capture.state.kind}>
            <Capture capture={capture} desk={desk} isLost={isLost} onAgain={onAgain} />
          </li>
        ))}
      </ul>
    </main>
  );
}

function Note({ work, isLost }: { work: CaptureWork; isLost: boolean }) {
  const { kind } = useConnectionState();
  if (kind === 'refused') return <SessionEnded />;
  if (isLost) return 'Lost connection to the service, reconnecting… Keep this tab open.';
  switch (work.kind) {
    case 'waiting':
      return 'Loading…';
    case 'replaced':
      return 'A newer tab of this browser captures now. You can close this one.';
    case 'works':
      return work.captures.length === 0
        ? 'Nothing is captured. You can close this tab.'
        : 'Keep this tab open while you use its screen, camera or microphone. You can switch to other tabs.';
    default:
      return assertNever(work);
  }
}

interface CaptureProps {
  capture: PageCapture;
  desk: CaptureDesk;
  isLost: boolean;
  onAgain: (captureId: string) => void;
}

function Capture({ capture, desk, isLost, onAgain }: CaptureProps) {
  const { captureId, order, state } = capture;
  const sentence = describePageCapture(order, state, 'browser');
  if (state.kind === 'open') {
    return (
      <Notice
        severity={sentence === undefined && !isLost ? 'good' : 'warn'}
        title={state.name}
        actions={
          <Button icon={<Square aria-hidden />} onClick={() => desk.stop(captureId)}>
            Stop sharing
          </Button>
        }
      >
        {sentence ?? (isLost ? 'Waiting for the connection.' : 'Tallylight receives it.')}
      </Notice>
    );
  }
  const isPicked = usesPicker(order);
  if (state.kind === 'asking') {
    return (
      <Notice
        severity="warn"
        title={questions[order.of]}
        actions={
          isPicked ? (
            <Button kind="primary" icon={<MonitorUp aria-hidden />} onClick={() => desk.choose(captureId)}>
              Choose what to share
            </Button>
          ) : undefined
        }
      >
        {isPicked ? 'Your browser asks which screen, window or tab.' : 'Your browser asks next to the address bar.'}
      </Notice>
    );
  }
  return (
    <Notice
      severity="bad"
      title={questions[order.of]}
      actions={
        <Button icon={<RotateCw aria-hidden />} onClick={() => onAgain(captureId)}>
          Try again
        </Button>
      }
    >
      {sentence}
    </Notice>
  );
}

const questions: Readonly<Record<PageCapture['order']['of'], string>> = {
  screen: 'Share a screen or a window',
  system: 'Share the sound of this computer',
  camera: 'Camera',
  microphone: 'Microphone',
};
