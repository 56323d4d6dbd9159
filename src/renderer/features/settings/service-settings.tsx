import { useState } from 'react';
import type { Settings } from '../../../shared/model/settings.ts';
import type { ServiceInfo } from '../../../shared/model/views.ts';
import { Unshown } from '../../components/unshown.tsx';
import { useLiveValue } from '../../hooks/use-live-value.ts';
import { useStore } from '../../store/store-context.tsx';
import { SettingsForm } from './settings-form.tsx';
import { SettingsGroup } from './settings-group.tsx';

/** The settings of the service, as they are now. */
export function ServiceSettings({ running }: { running: ServiceInfo | undefined }) {
  const live = useLiveValue(useStore().settings);
  // The values just saved are shown until the service reports them.
  const [saved, setSaved] = useState<{ settings: Settings; insteadOf: Settings }>();
  return (
    <SettingsGroup title="Service" about="Encoding, playback, and how programs reach this computer.">
      {live.kind === 'known' ? (
        <SettingsForm
          settings={saved?.insteadOf === live.value ? saved.settings : live.value}
          running={running}
          onSaved={(next) => setSaved({ settings: next, insteadOf: live.value })}
        />
      ) : (
        <Unshown what="the settings" snapshot={live} />
      )}
    </SettingsGroup>
  );
}
