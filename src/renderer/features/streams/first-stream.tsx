import { Clapperboard, Plus, Radio } from 'lucide-react';
import { recommendedProfiles } from '../../../shared/model/profile.ts';
import { Button } from '../../components/button.tsx';
import { FailureNotice } from '../../components/failure-notice.tsx';
import { useAction } from '../../hooks/use-action.ts';
import { goTo } from '../../hooks/use-route.ts';
import { inService } from '../../routing/route.ts';
import styles from './first-stream.module.css';
import { lookForStream } from './unanswered-create.ts';

/** Shown without streams: the first click creates one, the next goes live. */
export function FirstStream({ serviceId }: { serviceId: string | undefined }) {
  const create = useAction(
    async (client) => {
      const from = window.location.hash;
      const made = await client.stream.create({
        name: 'My stream',
        profiles: [...recommendedProfiles],
        ...(serviceId !== undefined && { serviceId }),
      });
      // The list has a stream then, and may replace this before the answer arrives.
      if (window.location.hash === from) goTo({ kind: 'studio', streamId: made.id });
    },
    { ifUnanswered: lookForStream },
  );
  return (
    <section className={styles.empty} aria-labelledby="first-stream">
      <Clapperboard className={styles.icon} aria-hidden size={40} strokeWidth={1.3} />
      <h2 className={styles.title} id="first-stream">
        Create your first stream
      </h2>
      <p className={styles.sentence}>
        A stream is a channel with its own key. Create one, press <strong>Go live</strong>, and see what your viewers see in the
        monitor.
      </p>
      <div className={styles.actions}>
        <Button
          kind="primary"
          size="large"
          icon={<Radio aria-hidden />}
          isPending={create.isPending}
          onClick={() => void create.run()}
        >
          Create my first stream
        </Button>
        <Button size="large" icon={<Plus aria-hidden />} onClick={() => goTo(inService('new-stream', serviceId))}>
          Choose a name and renditions…
        </Button>
      </div>
      <FailureNotice failure={create.failure} />
    </section>
  );
}
