import { FolderDown } from 'lucide-react';
import { useState } from 'react';
import type { StreamView } from '../../../shared/model/views.ts';
import { Button } from '../../components/button.tsx';
import { FailureNotice } from '../../components/failure-notice.tsx';
import { useAction } from '../../hooks/use-action.ts';
import { useGone } from '../../hooks/use-gone.ts';
import { useToasts } from '../../hooks/use-toasts.ts';
import { formatObsProfile } from './obs-profile.ts';
import { saveFolder } from './save-folder.ts';
import styles from './save-profile.module.css';

/** Saves an OBS profile with everything the steps ask for. It contains the stream key only if asked for. */
export function SaveProfile({ stream, ingestUrl }: { stream: StreamView; ingestUrl: string }) {
  const toasts = useToasts();
  const [withKey, setWithKey] = useState(false);
  const gone = useGone();
  const save = useAction(async (client) => {
    const signal = gone();
    const key = withKey ? await client.stream.revealKey({ streamId: stream.id }) : {};
    // A user who has left the page can ask again.
    if (signal.aborted) return;
    const { name, files } = formatObsProfile({ streamName: stream.name, server: ingestUrl, ...key });
    const saved = await saveFolder(name, files);
    const next = 'In OBS, import it with Profile → Import, then choose it in the Profile menu.';
    if (saved === 'folder') toasts.say(`Folder “${name}” saved. ${next}`);
    if (saved === 'archive') toasts.say(`Unpack “${name}.zip”. ${next}`);
  });
  return (
    <div className={styles.save}>
      <div className={styles.words}>
        <p className={styles.title}>Or use a profile for steps 1 and 2</p>
        <p>
          It sets the server, a keyframe every second and no B-frames. In OBS, import it with Profile → Import, then choose it
          in the Profile menu. If your scenes don't fill the canvas, copy <b>Settings → Video</b> from your own profile.
        </p>
        <label className={styles.option}>
          <input
            type="checkbox"
            className={styles.box}
            checked={withKey}
            disabled={save.isPending}
            onChange={(event) => setWithKey(event.target.checked)}
          />
          Include the stream key, as plain text
        </label>
        <FailureNotice failure={save.failure} />
      </div>
      <Button icon={<FolderDown aria-hidden />} isPending={save.isPending} onClick={() => void save.run()}>
        Save an OBS profile
      </Button>
    </div>
  );
}
