import type { RegionsView, RegionView } from '../../../shared/model/region.ts';
import { formatRegion } from '../../../shared/words/region-name.ts';
import { ConfirmAction } from '../../components/confirm-action.tsx';
import { useAction } from '../../hooks/use-action.ts';
import { useToasts } from '../../hooks/use-toasts.ts';
import { forgetRegion } from './region-draft.ts';

interface RemoveRegionDialogProps {
  region: RegionView | undefined;
  view: RegionsView;
  onClose: () => void;
}

/** Asks before a region and its networks leave the list. */
export function RemoveRegionDialog({ region, view, onClose }: RemoveRegionDialogProps) {
  const toasts = useToasts();
  const remove = useAction(
    async (client, { code, isOwn }: RegionView) => {
      await client.settings.update({
        regions: view.listed.filter((listed) => listed.code !== code),
        // This computer stays a region, listed or not.
        ...(!isOwn && forgetRegion(view, code)),
      });
      toasts.say(`${formatRegion(code)} removed`);
    },
    { about: region?.code, ifGone: ({ code }) => [formatRegion(code), "wasn't removed"] },
  );
  const networks = view.networks.filter((network) => network.region === region?.code).length;
  const description = region?.isOwn
    ? `This computer stays a region, with ${view.serviceDomain === undefined ? 'the URLs of its own address' : `URLs made from ${view.serviceDomain}`}.`
    : `Programs that ask for an ingest, and Go live, aren't sent there any more.${networks === 0 ? '' : ' Its networks are removed, too.'}`;
  return (
    <ConfirmAction
      subject={region}
      action={remove}
      onClose={onClose}
      title={`Remove ${region === undefined ? '' : formatRegion(region.code)}?`}
      description={description}
      confirm="Remove region"
      removesOpener
    />
  );
}
