import { Play } from 'lucide-react';
import type { ReactNode } from 'react';
import { IconButton } from '../../components/icon-button.tsx';
import { RenditionMark } from '../../components/rendition-mark.tsx';
import { smallPlayer } from './hls-settings.ts';
import { describeTileHold } from './hold-sentence.ts';
import { Picture } from './picture.tsx';
import { type Quality, renditionUrl } from './qualities.ts';
import { usePlayer } from './use-player.ts';
import styles from './wall.module.css';

/** How many players run at once; each decodes its own video. */
const mostPlayers = 8;

interface WallProps {
  playbackUrl: string;
  sessionId: string;
  /** Whether the broadcast's media arrives. */
  arrives: boolean;
  qualities: readonly Quality[];
  /** Why nothing new plays, if it doesn't; shown above the tiles. */
  held: ReactNode;
  /** Called when a tile is chosen, to be watched alone. */
  onChoose: (name: string) => void;
}

/** The source and all renditions at once, live, each in a small muted player with its measurements. */
export function Wall({ playbackUrl, sessionId, arrives, qualities, held, onChoose }: WallProps) {
  const shown = qualities.slice(0, mostPlayers);
  const left = qualities.length - shown.length;
  return (
    <section className={styles.wall} aria-label="Wall: source and renditions" data-columns={shown.length > 4 ? 3 : 2}>
      <div className={styles.held}>{held}</div>
      <ul className={styles.tiles}>
        {shown.map((quality) => (
          <li key={quality.label} className={styles.tile} aria-label={quality.label}>
            {quality.name === undefined ? (
              <p className={styles.absent}>{quality.note}</p>
            ) : (
              <TilePlayer
                url={renditionUrl(playbackUrl, quality.name)}
                sessionId={sessionId}
                arrives={arrives}
                label={quality.label}
                isHoldSaid={held !== null}
              />
            )}
            <div className={styles.caption}>
              <b className={styles.name}>{quality.label}</b>
              <RenditionMark status={quality.status} surface="glass" />
              <span className={styles.facts}>
                {quality.name === undefined ? quality.size : `${quality.size} · ${quality.rate}`}
              </span>
            </div>
            <WatchAlone quality={quality} onChoose={onChoose} />
          </li>
        ))}
      </ul>
      {left > 0 ? <p className={styles.left}>{`And ${left} more, in the quality menu.`}</p> : null}
    </section>
  );
}

function WatchAlone({ quality: { name, label }, onChoose }: { quality: Quality; onChoose: (name: string) => void }) {
  if (name === undefined) return null;
  return <button type="button" className={styles.choose} aria-label={`Watch ${label} alone`} onClick={() => onChoose(name)} />;
}

interface TilePlayerProps {
  url: string;
  sessionId: string;
  arrives: boolean;
  label: string;
  /** Whether the line above the tiles says why they hold. */
  isHoldSaid: boolean;
}

function TilePlayer({ label, isHoldSaid, ...wishes }: TilePlayerProps) {
  const { video, canvas, view, commands } = usePlayer({ ...wishes, settings: smallPlayer });
  return (
    <>
      <Picture video={video} canvas={canvas} label={`Picture of ${label}`} phase={view.phase.kind} />
      {view.phase.kind === 'held' && !isHoldSaid ? <p className={styles.hold}>{describeTileHold(view.phase.reason)}</p> : null}
      {view.phase.kind === 'paused' && view.phase.isRefused ? (
        <div className={styles.play}>
          <IconButton surface="glass" label={`Play ${label}`} icon={<Play aria-hidden />} onClick={commands.play} />
        </div>
      ) : null}
    </>
  );
}
