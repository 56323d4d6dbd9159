import { VolumeX } from 'lucide-react';
import type { StreamLive } from '../../../shared/model/views.ts';
import { Button } from '../../components/button.tsx';
import { useAction } from '../../hooks/use-action.ts';

/** Says that a broadcast is meant to be silent, so that Health doesn't warn of it. */
export function AcceptSilence({ live: { stream } }: { live: StreamLive }) {
  const accept = useAction((client) => client.broadcast.acceptSilence({ streamId: stream.id }));
  return (
    <>
      <Button icon={<VolumeX aria-hidden />} isPending={accept.isPending} onClick={() => void accept.run()}>
        It is meant to be silent
      </Button>
      {accept.failure === undefined ? null : <p role="alert">{accept.failure.sentence}</p>}
    </>
  );
}
