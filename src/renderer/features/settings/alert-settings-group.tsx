import { playAlarm } from '../../alerts/alarm-sound.ts';
import { useAlertSettings } from '../../alerts/use-alert-settings.ts';
import { Button } from '../../components/button.tsx';
import styles from './alert-settings-group.module.css';
import { SettingsGroup } from './settings-group.tsx';

/** How this device announces a lost broadcast. */
export function AlertSettingsGroup() {
  const { settings, change, permission, canAsk, ask } = useAlertSettings();
  return (
    <SettingsGroup title="Alerts" about="How this device tells you that a broadcast was lost. Saved on this device only.">
      <label className={styles.row}>
        <input
          type="checkbox"
          checked={settings.isNotifying && permission === 'granted'}
          disabled={permission === 'denied' || permission === 'missing'}
          onChange={(event) => (event.target.checked && canAsk ? ask() : change({ isNotifying: event.target.checked }))}
        />
        <span>
          Show a notification
          {permission === 'denied' ? <small>This browser blocks notifications from this page.</small> : null}
          {permission === 'missing' ? <small>This browser can't show notifications from this page.</small> : null}
        </span>
      </label>
      <div className={styles.row}>
        <label className={styles.row}>
          <input
            type="checkbox"
            checked={settings.isSounding}
            onChange={(event) => change({ isSounding: event.target.checked })}
          />
          Play a sound
        </label>
        <Button kind="text" onClick={() => void playAlarm().catch(() => {})}>
          Try it
        </Button>
      </div>
    </SettingsGroup>
  );
}
