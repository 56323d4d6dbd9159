import { playAlarm } from '../../alerts/alarm-sound.ts';
import { useAlertSettings } from '../../alerts/use-alert-settings.ts';
import { useTriedNotification } from '../../alerts/use-tried-notification.ts';
import { Button } from '../../components/button.tsx';
import { CheckboxRow } from '../../components/checkbox-row.tsx';
import styles from './alert-settings-group.module.css';
import { SettingsGroup } from './settings-group.tsx';

const permissionNotes: Readonly<Partial<Record<string, string>>> = {
  denied: 'This browser blocks notifications from this page.',
  missing: "This browser can't show notifications from this page.",
};

/** How this device alerts its user. */
export function AlertSettingsGroup() {
  const { settings, change, permission, canAsk, ask } = useAlertSettings();
  const { isDropped, tryIt } = useTriedNotification();
  const isAllowed = permission === 'granted';
  return (
    <SettingsGroup
      title="Alerts"
      about="How this device alerts you when viewers have had nothing new for 5 s, and when a broadcast is lost. Saved on this device only."
    >
      <div className={styles.row}>
        <CheckboxRow
          label="Show a notification"
          note={permissionNotes[permission]}
          isChecked={settings.isNotifying && isAllowed}
          isDisabled={permission === 'denied' || permission === 'missing'}
          onChecked={(isNotifying) => (isNotifying && canAsk ? ask() : change({ isNotifying }))}
        />
        {isAllowed ? (
          <Button kind="text" aria-label="Try it: notification" onClick={tryIt}>
            Try it
          </Button>
        ) : null}
        <small className={styles.note} role="status">
          {isDropped ? "Your system doesn't show Tallylight's notifications." : null}
        </small>
      </div>
      <div className={styles.row}>
        <CheckboxRow label="Play a sound" isChecked={settings.isSounding} onChecked={(isSounding) => change({ isSounding })} />
        <Button kind="text" aria-label="Try it: sound" onClick={() => void playAlarm().catch(() => {})}>
          Try it
        </Button>
      </div>
    </SettingsGroup>
  );
}
