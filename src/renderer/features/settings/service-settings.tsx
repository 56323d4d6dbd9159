import { useEffect, useState } from 'react';
import type { Settings } from '../../../shared/model/settings.ts';
import type { ServiceInfo } from '../../../shared/model/views.ts';
import { Notice } from '../../components/notice.tsx';
import { useAction } from '../../hooks/use-action.ts';
import { useConnectionState } from '../../hooks/use-connection-state.ts';
import { useReturn } from '../../hooks/use-return.ts';
import { SettingsForm } from './settings-form.tsx';
import { SettingsGroup } from './settings-group.tsx';

/** The settings of the service, once known. */
export function ServiceSettings({ running }: { running: ServiceInfo | undefined }) {
  const [settings, setSettings] = useState<Settings>();
  const connection = useConnectionState();
  const load = useAction(async (client) => setSettings(await client.settings.get()));
  const { run } = load;
  const isOpen = connection.kind === 'open';
  useEffect(() => {
    if (isOpen) void run();
  }, [run, isOpen]);
  // Another page may have changed them.
  useReturn(() => {
    if (isOpen) void run();
  });
  return (
    <SettingsGroup title="Service" about="Encoding, playback, and how programs reach this computer.">
      {settings === undefined && load.failure !== undefined ? <Notice severity="bad">{load.failure.sentence}</Notice> : null}
      {settings === undefined ? null : <SettingsForm settings={settings} running={running} onSaved={setSettings} />}
    </SettingsGroup>
  );
}
