import { RotateCcw, RotateCw } from 'lucide-react';
import { useState } from 'react';
import type { ServiceInfo, StreamLive } from '../../../shared/model/views.ts';
import { isFailure } from '../../../shared/sent-from-here.ts';
import { describeFailure } from '../../../shared/words/failure-words.ts';
import { describeMissingFfmpeg } from '../../../shared/words/ffmpeg-words.ts';
import { explainViolations } from '../../../shared/words/violation-words.ts';
import type { Failure } from '../../client/failure.ts';
import { Button } from '../../components/button.tsx';
import { Notice } from '../../components/notice.tsx';
import { coarseAgeStepMs } from '../../format/age.ts';
import { formatMoment } from '../../format/moment.ts';
import { useNow } from '../../hooks/use-now.ts';
import styles from './broadcast-trouble.module.css';
import { removeFailedFiles } from './failed-file.ts';
import type { PictureDraft } from './source-draft.ts';
import type { Broadcast } from './use-broadcast.ts';

interface BroadcastTroubleProps {
  live: StreamLive;
  clockOffsetMs: number;
  broadcast: Broadcast;
  service: ServiceInfo;
}

/** What keeps a one-click broadcast off air: the sentence, ffmpeg's output on click, and the button that fixes it. */
export function BroadcastTrouble({ live, clockOffsetMs, broadcast, service }: BroadcastTroubleProps) {
  const { oneClick, stream } = live;
  const now = useNow(coarseAgeStepMs, oneClick.kind === 'failed');
  const refused = broadcast.refusal && <Failed title="That didn't work" {...broadcast.refusal} isAnnounced />;
  if (oneClick.kind === 'retrying') {
    return (
      <>
        {refused}
        <Retrying sentence={describeFailure(oneClick.failure)} broadcast={broadcast} />
      </>
    );
  }
  if (refused) return refused;
  if (isFailure(oneClick, stream.air)) {
    const { choice, setChoice, fileInput } = broadcast;
    const withoutFailed = removeFailedFiles(choice.source.picture, oneClick);
    const chooseAnother = (picture: PictureDraft) => {
      setChoice({ way: 'own', source: { ...choice.source, picture } });
      requestAnimationFrame(() => fileInput.current?.focus());
    };
    return (
      <Failed
        title={`The broadcast failed at ${formatMoment(oneClick.at - clockOffsetMs, now)}`}
        failure={{ sentence: describeFailure(oneClick.failure), violations: [] }}
        stderr={oneClick.stderr}
        again={broadcast.goLive}
        chooseAnother={withoutFailed && (() => chooseAnother(withoutFailed))}
        // The verdict is announced, so this isn't.
        isAnnounced={false}
      />
    );
  }
  if (service.ffmpeg.kind === 'missing' && stream.air.kind === 'off-air' && stream.suspended !== true) {
    return (
      <Notice severity="warn" title="Go live needs ffmpeg">
        {describeMissingFfmpeg(service.ffmpeg.reason)} OBS and other encoders work without it.
      </Notice>
    );
  }
  return null;
}

/** The status bar shows when it tries next. */
function Retrying({ sentence, broadcast }: { sentence: string; broadcast: Broadcast }) {
  return (
    <Notice
      severity="warn"
      title="Reconnecting automatically"
      actions={
        <Button
          icon={<RotateCw aria-hidden />}
          isPending={broadcast.reconnectNow.isPending}
          onClick={() => void broadcast.reconnectNow.run()}
        >
          Reconnect now
        </Button>
      }
    >
      {sentence}
      {broadcast.reconnectNow.failure === undefined ? null : <p role="alert">{broadcast.reconnectNow.failure.sentence}</p>}
    </Notice>
  );
}

interface FailedProps {
  title: string;
  failure: Pick<Failure, 'sentence' | 'violations'>;
  /** ffmpeg's last lines, oldest first; none unless ffmpeg failed. */
  stderr?: readonly string[];
  again: () => void;
  /** Removes the files that failed from the choice. */
  chooseAnother?: (() => void) | undefined;
  isAnnounced: boolean;
}

function Failed({ title, failure, stderr = [], again, chooseAnother, isAnnounced }: FailedProps) {
  const [isOpen, setOpen] = useState(false);
  return (
    <Notice
      severity="bad"
      title={title}
      isAnnounced={isAnnounced}
      details={
        isOpen ? (
          // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard
          <section className={styles.stderr} tabIndex={0} aria-label="ffmpeg output">
            <pre>{stderr.join('\n')}</pre>
          </section>
        ) : null
      }
      actions={
        <>
          <Button icon={<RotateCcw aria-hidden />} onClick={again}>
            Try again
          </Button>
          {chooseAnother ? <Button onClick={chooseAnother}>Choose another file</Button> : null}
          {stderr.length > 0 ? (
            <Button kind="text" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
              {isOpen ? 'Hide ffmpeg output' : 'Show ffmpeg output'}
            </Button>
          ) : null}
        </>
      }
    >
      <p>{failure.sentence}</p>
      {explainViolations(failure.violations).map((sentence) => (
        <p key={sentence}>{sentence}</p>
      ))}
    </Notice>
  );
}
