import { useState } from 'react';
import { isolateName } from '../../../shared/isolate-name.ts';
import type { StreamView } from '../../../shared/model/views.ts';
import { Button } from '../../components/button.tsx';
import { ConfirmAction } from '../../components/confirm-action.tsx';
import { Dialog, DialogBody, DialogFoot } from '../../components/dialog.tsx';
import { KeyField } from '../../components/key-field.tsx';
import { Notice } from '../../components/notice.tsx';
import { useAction } from '../../hooks/use-action.ts';
import { useGone } from '../../hooks/use-gone.ts';
import { useToasts } from '../../hooks/use-toasts.ts';
import { titleEndedByNewKey } from '../../status/running-title.ts';

/** Asks before a stream gets a new key, then offers it for copying, masked: the old one may have leaked from a shared screen. */
export function RenewKeyDialog({ stream, onClose }: { stream: StreamView | undefined; onClose: () => void }) {
  const toasts = useToasts();
  const [made, setMade] = useState<{ id: string; name: string }>();
  const gone = useGone(stream?.id);
  const renew = useAction(
    async (client, { id, name }: StreamView) => {
      const signal = gone();
      await client.stream.renewKey({ streamId: id });
      if (signal.aborted) toasts.say(`${isolateName(name)} has a new key. Find it in Studio.`);
      else setMade({ id, name });
    },
    { about: stream?.id, ifGone: ({ name }) => [name, 'has no new key'] },
  );
  const running = stream && titleEndedByNewKey(stream);
  return (
    <>
      <ConfirmAction
        subject={stream}
        action={renew}
        onClose={onClose}
        title={`Create a new key for ${isolateName(stream?.name ?? '')}?`}
        description="The old key stops working at once. An encoder using it is disconnected, and refused until it has the new key."
        confirm="Create new key"
      >
        {running === undefined ? null : (
          <Notice severity="warn" title={running}>
            A new key ends the broadcast unless the encoder reconnects with it in time.
          </Notice>
        )}
      </ConfirmAction>
      <Dialog
        isOpen={made !== undefined}
        onClose={() => setMade(undefined)}
        title={`New key for ${isolateName(made?.name ?? '')}`}
      >
        <DialogBody>
          <p>Paste it into your encoder. You can always find it in Studio.</p>
          {made === undefined ? null : <KeyField streamId={made.id} />}
        </DialogBody>
        <DialogFoot>
          <Button kind="primary" onClick={() => setMade(undefined)}>
            Done
          </Button>
        </DialogFoot>
      </Dialog>
    </>
  );
}
