import { Check, CirclePlay, Copy, LogIn, X } from 'lucide-react';
import type { StreamLive } from '../../../shared/model/views.ts';
import { Button } from '../../components/button.tsx';
import { IconButton } from '../../components/icon-button.tsx';
import { Notice } from '../../components/notice.tsx';
import { useCopy } from '../../components/use-copy.ts';
import { useDismissed } from '../../hooks/use-dismissed.ts';
import { useNow } from '../../hooks/use-now.ts';
import { useStore } from '../../store/store-context.tsx';
import { type RefusedEncoder, splitRefused } from './refused-encoders.ts';
import type { Broadcast } from './use-broadcast.ts';

/** How many are shown at once; the log has them all. */
const mostShown = 2;

interface RefusalNoticesProps {
  live: StreamLive;
  clockOffsetMs: number;
  broadcast: Broadcast;
}

/** Recently refused encoders, above the monitor, until dismissed. Off air, the off-air screen shows the newest. */
export function RefusalNotices({ live, clockOffsetMs, broadcast }: RefusalNoticesProps) {
  const now = useRefusalClock(live) + clockOffsetMs;
  const { news, above } = splitRefused(live, now);
  const { isDismissed, dismiss } = useDismissed(
    `refusals of ${live.stream.id}`,
    [...(news === undefined ? [] : [news]), ...above].map(({ id }) => id),
  );
  return above
    .filter(({ id }) => !isDismissed(id))
    .slice(0, mostShown)
    .map((encoder) => (
      <Notice
        key={encoder.id}
        severity="warn"
        title={encoder.title}
        actions={encoder.remedy && <Remedy encoder={encoder} streamId={live.stream.id} broadcast={broadcast} />}
        corner={<IconButton label="Dismiss" icon={<X aria-hidden />} onClick={() => dismiss(encoder.id)} />}
      >
        {encoder.sentence}
      </Notice>
    ));
}

/** The off-air screen's news, in place of the monitor: the newest refusal, or that the stream is suspended. */
export function useOffAirNews({ live, clockOffsetMs, broadcast }: RefusalNoticesProps) {
  const now = useRefusalClock(live) + clockOffsetMs;
  const { news } = splitRefused(live, now);
  if (news === undefined) return undefined;
  return {
    title: news.title,
    sentence: news.sentence,
    action: <Remedy encoder={news} streamId={live.stream.id} broadcast={broadcast} />,
  };
}

/** Ages are counted in seconds; without refusals there is nothing to count. */
function useRefusalClock({ hold, refusals }: StreamLive): number {
  return useNow(1_000, hold !== undefined || refusals.length > 0);
}

/** The button that fixes it. */
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
