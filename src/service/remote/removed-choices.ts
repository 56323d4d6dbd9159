import type { OneClickChoice } from '../../shared/model/one-click-choice.ts';
import { parseStreamRef } from '../../shared/model/stream-ref.ts';
import type { KeptValues } from '../store/kept-values.ts';
import type { RemoteServices } from './remote-services.ts';

/** Forgets the last *Go live* choices of streams whose remote service is removed, or was removed before the start. */
export function forgetRemovedChoices(
  choices: KeptValues<OneClickChoice>,
  remotes: Pick<RemoteServices, 'find' | 'onChange'>,
): void {
  const forget = () => {
    for (const streamId of choices.keys()) {
      const { serviceId } = parseStreamRef(streamId);
      if (serviceId !== undefined && remotes.find(serviceId) === undefined) choices.save(streamId, undefined);
    }
  };
  forget();
  remotes.onChange(forget);
}
