import { Menu } from '@base-ui/react/menu';
import { Check } from 'lucide-react';
import popupStyles from '../../components/popup.module.css';
import { RenditionMark } from '../../components/rendition-mark.tsx';
import type { PlayerView } from './player-view.ts';
import type { Quality } from './qualities.ts';
import styles from './quality-menu.module.css';

interface QualityMenuProps {
  view: PlayerView;
  qualities: readonly Quality[];
  /** The label of the rendition the viewer chose, which has no name while it isn't made. */
  chosenLabel: string | undefined;
  onQuality: (name: string | undefined) => void;
  container: HTMLElement | null;
}

const automatic = 'automatic';

/** A rendition's value in the menu. */
const choiceValue = ({ name, label }: Quality) => name ?? `${label} (not there)`;

/** Chooses the rendition that plays, automatically or manually; each shows its measurements. */
export function QualityMenu({ view, qualities, chosenLabel, onQuality, container }: QualityMenuProps) {
  const shown = view.heightPixels === undefined ? undefined : `${view.heightPixels}p`;
  if (qualities.length < 2) return <span className={styles.shown}>{shown}</span>;
  const playing = qualities.find(({ name }) => name !== undefined && name === view.playing);
  const choice = view.chosen === undefined ? undefined : qualities.find(({ label }) => label === chosenLabel);
  const chosen = view.chosen === undefined ? 'Auto' : undefined;
  // Source and rendition may be the same size, so the name tells which one plays.
  const name = playing?.label === shown ? undefined : playing?.label;
  const [first = 'Chosen', ...more] = [chosen, name, shown].filter((word) => word !== undefined);
  const instead = choice === undefined || choice.name !== undefined ? '' : ` instead of ${choice.label}`;
  const rest = [...more.map((word) => ` · ${word}`), instead].join('');
  return (
    <Menu.Root modal={false}>
      <Menu.Trigger className={styles.trigger} aria-label={`Quality: ${first}${rest}`}>
        <span>{first}</span>
        <span className={styles.rest}>{rest}</span>
      </Menu.Trigger>
      <Menu.Portal container={container}>
        <Menu.Positioner className={popupStyles.positioner} side="top" align="end" sideOffset={8}>
          <Menu.Popup className={popupStyles.popup}>
            <Menu.RadioGroup
              className={styles.list}
              value={choice === undefined ? automatic : choiceValue(choice)}
              onValueChange={(value: string) => onQuality(value === automatic ? undefined : value)}
            >
              <Choice
                value={automatic}
                label="Automatic"
                note={playing === undefined ? 'The best for this connection' : `${playing.label} now`}
              />
              {qualities.map((quality) => (
                <Choice
                  key={quality.label}
                  value={choiceValue(quality)}
                  label={quality.label}
                  quality={quality}
                  note={quality.note}
                />
              ))}
            </Menu.RadioGroup>
          </Menu.Popup>
        </Menu.Positioner>
      </Menu.Portal>
    </Menu.Root>
  );
}

function Choice({ value, label, note, quality }: { value: string; label: string; note: string; quality?: Quality }) {
  return (
    <Menu.RadioItem
      className={styles.item}
      value={value}
      label={label}
      disabled={quality !== undefined && quality.name === undefined}
      closeOnClick
    >
      <span className={styles.tick}>
        <Menu.RadioItemIndicator>
          <Check aria-hidden size={16} />
        </Menu.RadioItemIndicator>
      </span>
      <span className={styles.label}>
        {label} {quality === undefined ? null : <span className={styles.size}>{quality.size}</span>}
      </span>
      {quality === undefined || quality.status.kind === 'good' ? null : <RenditionMark status={quality.status} />}
      <small className={styles.note}>{note}</small>
    </Menu.RadioItem>
  );
}
