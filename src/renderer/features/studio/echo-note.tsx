import type { SoundSource } from '../../../shared/model/source.ts';
import { isBesideService } from '../../client/seen-from-page.ts';
import styles from '../../components/picture-chip.module.css';
import { mayEcho } from './monitor-echo.ts';
import { usePageCaptures } from './use-page-captures.ts';

/** Says that viewers may hear the monitor of this page, if it plays into what is captured. */
export function EchoNote({ sounds }: { sounds: readonly SoundSource[] }) {
  // Captures of this page's own place are reported without being held.
  const { place, find } = usePageCaptures([]);
  if (!mayEcho(sounds, { isBesideService: isBesideService(window), place, find })) return null;
  return (
    <p className={styles.chip} role="status">
      Viewers may hear this again: the broadcast includes what this computer plays. Mute the monitor.
    </p>
  );
}
