import { Cable, FileVideo, FolderOpen, TvMinimal } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import type { EncodeQuality } from '../../../shared/model/live.ts';
import type { ServiceInfo } from '../../../shared/model/views.ts';
import { Button } from '../../components/button.tsx';
import { ChoiceGroup } from '../../components/choice-group.tsx';
import { SelectField } from '../../components/select-field.tsx';
import { TextField } from '../../components/text-field.tsx';
import { FileDialog } from './file-dialog.tsx';
import styles from './source-choice.module.css';
import { qualityNames, type SourceKind, sourceCards } from './sources.ts';
import type { Broadcast } from './use-broadcast.ts';

const sourceIcons: Readonly<Record<SourceKind, ReactNode>> = {
  'test-picture': <TvMinimal aria-hidden />,
  file: <FileVideo aria-hidden />,
  encoder: <Cable aria-hidden />,
};

// Offers every kind of source in the contract; screen, camera and microphone will be added there.
const cards = (Object.keys(sourceCards) as SourceKind[]).map((kind) => ({
  value: kind,
  icon: sourceIcons[kind],
  ...sourceCards[kind],
}));

const qualities = (Object.keys(qualityNames) as EncodeQuality[]).map((value) => ({ value, ...qualityNames[value] }));

interface SourceChoiceProps {
  broadcast: Broadcast;
  ffmpeg: ServiceInfo['ffmpeg'];
  /** How to stream from another program, shown when that is chosen. */
  encoderSteps: ReactNode;
}

/** Chooses the source before going live. */
export function SourceChoice({ broadcast, ffmpeg, encoderSteps }: SourceChoiceProps) {
  const { choice, setChoice } = broadcast;
  const [isBrowsing, setBrowsing] = useState(false);
  const isOneClickMissing = ffmpeg.kind === 'missing';
  return (
    <div className={styles.choice}>
      <div className={styles.source}>
        <ChoiceGroup
          label="Source"
          value={choice.kind}
          onValue={(kind) => setChoice({ ...choice, kind })}
          options={cards.map((card) => ({ ...card, isDisabled: isOneClickMissing && card.value !== 'encoder' }))}
        />
      </div>
      {choice.kind === 'encoder' ? (
        <div className={styles.steps}>{encoderSteps}</div>
      ) : (
        <div className={styles.quality}>
          <SelectField
            label="Quality"
            value={choice.quality}
            onValue={(quality) => setChoice({ ...choice, quality })}
            options={qualities}
            isDisabled={isOneClickMissing}
          />
        </div>
      )}
      {choice.kind === 'file' ? (
        <div className={styles.file}>
          <TextField
            ref={broadcast.fileInput}
            label="File path"
            value={choice.path}
            onValue={(path) => setChoice({ ...choice, path })}
            fault={broadcast.fileFault}
            placeholder="Path of a video on this computer"
            trailing={
              <Button icon={<FolderOpen aria-hidden />} onClick={() => setBrowsing(true)}>
                Browse…
              </Button>
            }
          />
        </div>
      ) : null}
      <FileDialog isOpen={isBrowsing} onClose={() => setBrowsing(false)} onChoose={(path) => setChoice({ ...choice, path })} />
    </div>
  );
}
