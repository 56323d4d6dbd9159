import type { StreamLive } from '../../../shared/model/views.ts';
import { formatRegion } from '../../../shared/words/region-name.ts';
import { Button } from '../../components/button.tsx';
import { Notice } from '../../components/notice.tsx';
import { useAction } from '../../hooks/use-action.ts';

/** The next nearest region, offered while the broadcast's own has failed. */
export function RegionOffer({ live: { region, stream } }: { live: StreamLive }) {
  const offer = region?.offer;
  const change = useAction(
    (client, code: string) => client.broadcast.changeRegion({ streamId: stream.id, region: code }),
    // A refusal stays while another region is offered: it names the region that wasn't accepted.
    { about: offer && stream.id, ifGone: (code) => [stream.name, `didn't move to ${formatRegion(code)}`] },
  );
  if (region === undefined || offer === undefined) return null;
  const next = formatRegion(offer);
  return (
    <Notice
      severity="bad"
      title={`The region ${formatRegion(region.code)} has failed`}
      actions={
        <Button kind="primary" isPending={change.isPending} onClick={() => void change.run(offer)}>
          Continue in {next}
        </Button>
      }
    >
      <p>
        {next} is the next nearest. Ingest and playback change together, so viewers need the playback URL of {next}.
      </p>
      {change.failure === undefined ? null : <p>{change.failure.sentence}</p>}
    </Notice>
  );
}
