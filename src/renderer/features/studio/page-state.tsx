import { RotateCw, SquareArrowOutUpRight } from 'lucide-react';
import type { ReactNode } from 'react';
import { describeCaptureElsewhere, describePageCapture } from '../../../shared/words/page-capture-words.ts';
import { Button } from '../../components/button.tsx';
import { SeverityIcon } from '../../components/severity-icon.tsx';
import styles from './page-state.module.css';
import type { ReopeningCaptures } from './use-reopened-captures.ts';

/** How a page's capture is doing, with the button that helps. */
export function PageState({ captureId, pages }: { captureId: string; pages: ReopeningCaptures }) {
  const capture = pages.find(captureId);
  if (capture === undefined) {
    if (!pages.isGone(captureId)) return null;
    return (
      <CaptureNote>
        It isn't captured any more. Open it again, or choose another.
        <Button icon={<RotateCw aria-hidden />} onClick={() => pages.reopen(captureId)}>
          Open it again
        </Button>
      </CaptureNote>
    );
  }
  if (capture.place !== pages.place) {
    const elsewhere = describeCaptureElsewhere(capture);
    return elsewhere === undefined ? null : <CaptureNote>{elsewhere}</CaptureNote>;
  }
  const { order, state } = capture;
  const sentence = describePageCapture(order, state, pages.isApp ? 'app' : 'browser');
  if (sentence === undefined) return null;
  const mayAsk = state.kind === 'ended' || state.kind === 'failed';
  const needsUser = state.kind === 'ended' || (state.kind === 'failed' && state.failure.code === 'refused');
  return (
    <CaptureNote>
      <span>{sentence}</span>
      {mayAsk ? (
        <Button icon={<RotateCw aria-hidden />} onClick={() => pages.askAgain(captureId)}>
          {needsUser ? 'Ask again' : 'Try again'}
        </Button>
      ) : pages.isApp ? null : (
        <Button icon={<SquareArrowOutUpRight aria-hidden />} onClick={pages.openTab}>
          Open the capture tab
        </Button>
      )}
    </CaptureNote>
  );
}

/** A sentence about a capture, with the button that helps. */
export function CaptureNote({ children }: { children: ReactNode }) {
  return (
    <div className={styles.note} role="status">
      <SeverityIcon severity="warn" size={16} />
      <div className={styles.words}>{children}</div>
    </div>
  );
}
