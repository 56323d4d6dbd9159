import { Volume2, VolumeX, X } from 'lucide-react';
import { useState } from 'react';
import type { ChannelLevel, DeviceList, SourcePreview } from '../../../shared/model/capture.ts';
import { maxSounds, type SoundInput, type SoundSource, soundKey } from '../../../shared/model/source.ts';
import { withUnit } from '../../../shared/with-unit.ts';
import { describeLacking } from '../../../shared/words/capture-words.ts';
import { formatLevel } from '../../../shared/words/quantities.ts';
import { CheckboxRow } from '../../components/checkbox-row.tsx';
import { IconButton } from '../../components/icon-button.tsx';
import { SelectField } from '../../components/select-field.tsx';
import { useGone } from '../../hooks/use-gone.ts';
import { useLatest } from '../../hooks/use-latest.ts';
import { FileDialog } from './file-dialog.tsx';
import { LevelBars } from './level-bar.tsx';
import { mixSound } from './mix-sounds.ts';
import { PageState } from './page-state.tsx';
import { findLevels } from './sound-levels.ts';
import styles from './sound-mix.module.css';
import { listSounds, type SoundOption, toSound } from './sound-options.ts';
import type { SourceDraft } from './source-draft.ts';
import { nameSound } from './source-names.ts';
import type { ReopeningCaptures } from './use-reopened-captures.ts';

interface SoundMixProps {
  draft: SourceDraft;
  onDraft: (draft: SourceDraft) => void;
  devices: DeviceList | undefined;
  pages: ReopeningCaptures;
  preview: SourcePreview | undefined;
  /** Why the last sound wasn't added. */
  fault: string | undefined;
  onFault: (fault: string | undefined) => void;
}

/** Mixes what viewers hear: each sound with its level, its meter and a mute. */
export function SoundMix({ draft, onDraft, devices, pages, preview, fault, onFault }: SoundMixProps) {
  const [isBrowsing, setBrowsing] = useState(false);
  const { sounds } = draft;
  const setSounds = (next: readonly SoundInput[]) => onDraft({ ...draft, sounds: next });
  const latest = useLatest({ draft, onDraft });
  const gone = useGone();
  // Added to the mix as it is by then: the page's answer may be late.
  const add = (of: SoundSource) => {
    const mixed = mixSound(latest.current.draft, of);
    latest.current.onDraft(mixed.draft);
    onFault(mixed.fault);
  };
  const options = listSounds(draft, devices, pages);
  const lack = describeLacking(['microphone', 'system'], devices?.lacking);
  const choose = (option: SoundOption | undefined) => {
    if (option === undefined) return;
    if (option.what.kind === 'sound') return add(option.what.of);
    if (option.what.kind === 'browse') return setBrowsing(true);
    const { what } = option;
    const signal = gone();
    pages.ask(what.order, (captureId) => {
      // The encoder may have been chosen meanwhile.
      if (!signal.aborted) add(toSound(what, captureId, pages.place));
    });
  };
  return (
    <div className={styles.mix}>
      {sounds.length === 0 ? <p className={styles.note}>Viewers will hear nothing. Add a sound if they should.</p> : null}
      <ul className={styles.inputs} aria-label="Sounds">
        {sounds.map((input, index) => (
          <li key={soundKey(input.of)}>
            <SoundRow
              input={input}
              levels={findLevels(preview, input.of)}
              onInput={(next) => setSounds(sounds.map((other, at) => (at === index ? next : other)))}
              onRemove={() => setSounds(sounds.filter((_, at) => at !== index))}
              pages={pages}
            />
          </li>
        ))}
      </ul>
      {lack === undefined ? null : <p className={styles.note}>{lack}</p>}
      {sounds.length < maxSounds ? (
        <SelectField
          label="Add a sound"
          value={undefined}
          placeholder="Choose a sound"
          onValue={(key) => choose(options.find(({ value }) => value === key))}
          options={options}
        />
      ) : null}
      {fault === undefined ? null : (
        <p className={styles.fault} role="alert">
          {fault}
        </p>
      )}
      {sounds.length > 0 ? (
        <div className={styles.sum}>
          <CheckboxRow
            label="Keep peaks from clipping"
            isChecked={draft.limits}
            onChecked={(limits) => onDraft({ ...draft, limits })}
          />
        </div>
      ) : null}
      <FileDialog
        isOpen={isBrowsing}
        onClose={() => setBrowsing(false)}
        of="sound"
        isMultiple
        onChoose={(paths) => add({ kind: 'files', paths, loops: true })}
      />
    </div>
  );
}

interface SoundRowProps {
  input: SoundInput;
  levels: readonly ChannelLevel[] | undefined;
  onInput: (input: SoundInput) => void;
  onRemove: () => void;
  pages: ReopeningCaptures;
}

function SoundRow({ input, levels, onInput, onRemove, pages }: SoundRowProps) {
  const { of, levelDb, isMuted } = input;
  const name = nameSound(of);
  return (
    <div className={styles.input} data-muted={isMuted || undefined}>
      <span className={styles.name} dir="auto" title={name}>
        {name}
      </span>
      <IconButton
        label={`Mute ${name}`}
        icon={isMuted ? <VolumeX aria-hidden /> : <Volume2 aria-hidden />}
        aria-pressed={isMuted}
        onClick={() => onInput({ ...input, isMuted: !isMuted })}
      />
      <IconButton label={`Remove ${name}`} icon={<X aria-hidden />} onClick={onRemove} />
      <div className={styles.level}>
        <LevelBars of={name} levels={levels} />
        <input
          className={styles.slider}
          type="range"
          aria-label={`Level of ${name}`}
          aria-valuetext={withUnit(formatLevel(levelDb), 'dB')}
          min={-60}
          max={12}
          step={1}
          value={levelDb}
          onChange={(event) => onInput({ ...input, levelDb: Number(event.target.value) })}
        />
      </div>
      <output className={styles.db}>{isMuted ? 'Muted' : withUnit(formatLevel(levelDb), 'dB')}</output>
      {of.kind === 'page' ? (
        <div className={styles.state}>
          <PageState captureId={of.captureId} pages={pages} />
        </div>
      ) : null}
    </div>
  );
}
