import { Check, CirclePlay, Copy, LogIn, X } from 'lucide-react';
import { useState } from 'react';
import type { StreamLive } from '../../../shared/model/views.ts';
import { Button } from '../../components/button.tsx';
import { IconButton } from '../../components/icon-button.tsx';
import { Notice } from '../../components/notice.tsx';
import { useCopy } from '../../components/use-copy.ts';
import { useNow } from '../../hooks/use-now.ts';
import { useStore } from '../../store/store-context.tsx';
import { listRefused, type RefusedEncoder } from './refused-encoders.ts';
import type { Broadcast } from './use-broadcast.ts';

/** How many are told of at once: the log has them all. */
const mostShown = 2;

interface RefusalNoticesProps {
  live: StreamLive;
  clockOffsetMs: number;
  broadcast: Broadcast;
}

/** Encoders that were refused lately, above the monitor, until they are dismissed; off air the newest is on the off-air screen. */
export function RefusalNotices({ live, clockOffsetMs, broadcast }: RefusalNoticesProps) {
  const now = useRefusalClock(live) + clockOffsetMs;
  const [dismissed, setDismissed] = useState<ReadonlySet<string>>(new Set());
  const isOffAir = live.stream.air.kind === 'off-air';
  const refused = listRefused(live, now).slice(isOffAir ? 1 : 0);
  return refused
    .filter(({ id }) => !dismissed.has(id))
    .slice(0, mostShown)
    .map((encoder) => (
      <Notice
        key={encoder.id}
        severity="warn"
        title={encoder.title}
        actions={<Remedy encoder={encoder} streamId={live.stream.id} broadcast={broadcast} />}
        corner={
          <IconButton
            label="Dismiss"
            icon={<X aria-hidden />}
            onClick={() => setDismissed(new Set(dismissed).add(encoder.id))}
          />
        }
      >
        {encoder.sentence}
      </Notice>
    ));
}

/** What the off-air screen says in the monitor's place: the newest of them, or that the stream is suspended. */
export function useOffAirNews({ live, clockOffsetMs, broadcast }: RefusalNoticesProps) {
  const now = useRefusalClock(live) + clockOffsetMs;
  const [newest] = live.stream.air.kind === 'off-air' ? listRefused(live, now) : [];
  if (newest === undefined) {
    if (live.stream.suspended !== true) return undefined;
    return {
      title: 'Suspended',
      sentence: 'This stream refuses every encoder until you resume it.',
      action: <Resume broadcast={broadcast} />,
    };
  }
  return {
    title: newest.title,
    sentence: newest.sentence,
    action: <Remedy encoder={newest} streamId={live.stream.id} broadcast={broadcast} />,
  };
}

/** Ages are counted by the second; where nobody was refused there is none to count. */
function useRefusalClock({ hold, refusals }: StreamLive): number {
  return useNow(1_000, hold !== undefined || refusals.length > 0);
}

/** The button that mends it. */
function Remedy({ encoder, streamId, broadcast }: { encoder: RefusedEncoder; streamId: string; broadcast: Broadcast }) {
  switch (encoder.remedy) {
    case 'copy-key':
      return <CopyKey streamId={streamId} />;
    case 'resume':
      return <Resume broadcast={broadcast} />;
    case 'let-in':
      return (
        <Button icon={<LogIn aria-hidden />} isPending={broadcast.letIn.isPending} onClick={() => void broadcast.letIn.run()}>
          Allow it
        </Button>
      );
    case undefined:
      return null;
  }
}

function Resume({ broadcast: { resume } }: { broadcast: Broadcast }) {
  return (
    <Button icon={<CirclePlay aria-hidden />} isPending={resume.isPending} onClick={() => void resume.run()}>
      Resume
    </Button>
  );
}

function CopyKey({ streamId }: { streamId: string }) {
  const { connection } = useStore();
  const { isCopied, copy } = useCopy(
    'Stream key',
    async () => (await connection.client.stream.revealKey({ streamId })).streamKey,
  );
  return (
    <Button icon={isCopied ? <Check aria-hidden /> : <Copy aria-hidden />} onClick={copy}>
      {isCopied ? 'Copied' : 'Copy the key'}
    </Button>
  );
}
