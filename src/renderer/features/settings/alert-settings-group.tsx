import { playAlarm } from '../../alerts/alarm-sound.ts';
import { useAlertSettings } from '../../alerts/use-alert-settings.ts';
import { Button } from '../../components/button.tsx';
import styles from '../../components/checkbox-row.module.css';
import { CheckboxRow } from '../../components/checkbox-row.tsx';
import { SettingsGroup } from './settings-group.tsx';

const permissionNotes: Readonly<Partial<Record<string, string>>> = {
  denied: 'This browser blocks notifications from this page.',
  missing: "This browser can't show notifications from this page.",
};

/** How this device announces a lost broadcast. */
export function AlertSettingsGroup() {
  const { settings, change, permission, canAsk, ask } = useAlertSettings();
  return (
    <SettingsGroup title="Alerts" about="How this device tells you that a broadcast was lost. Saved on this device only.">
      <CheckboxRow
        label="Show a notification"
        note={permissionNotes[permission]}
        isChecked={settings.isNotifying && permission === 'granted'}
        isDisabled={permission === 'denied' || permission === 'missing'}
        onChecked={(isNotifying) => (isNotifying && canAsk ? ask() : change({ isNotifying }))}
      />
      <div className={styles.row}>
        <CheckboxRow label="Play a sound" isChecked={settings.isSounding} onChecked={(isSounding) => change({ isSounding })} />
        <Button kind="text" onClick={() => void playAlarm().catch(() => {})}>
          Try it
        </Button>
      </div>
    </SettingsGroup>
  );
}
