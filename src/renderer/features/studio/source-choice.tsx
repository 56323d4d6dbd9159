import { FileVideo, FolderOpen, TvMinimal } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import type { EncodeQuality, Source } from '../../../shared/model/live.ts';
import type { ServiceInfo } from '../../../shared/model/views.ts';
import { Button } from '../../components/button.tsx';
import { ChoiceGroup } from '../../components/choice-group.tsx';
import { SelectField } from '../../components/select-field.tsx';
import { TextField } from '../../components/text-field.tsx';
import { FileDialog } from './file-dialog.tsx';
import styles from './source-choice.module.css';
import { qualityNames, sourceNames } from './sources.ts';
import type { Broadcast } from './use-broadcast.ts';

const sourceIcons: Readonly<Record<Source['kind'], ReactNode>> = {
  'test-picture': <TvMinimal aria-hidden />,
  file: <FileVideo aria-hidden />,
};

// Every kind of source the contract knows is offered; screen, camera and microphone join it there.
const sources = (Object.keys(sourceNames) as Source['kind'][]).map((kind) => ({
  value: kind,
  icon: sourceIcons[kind],
  ...sourceNames[kind],
}));

const qualities = (Object.keys(qualityNames) as EncodeQuality[]).map((value) => ({ value, ...qualityNames[value] }));

/** What one click broadcasts, chosen before it. */
export function SourceChoice({ broadcast, ffmpeg }: { broadcast: Broadcast; ffmpeg: ServiceInfo['ffmpeg'] }) {
  const { choice, setChoice } = broadcast;
  const [isBrowsing, setBrowsing] = useState(false);
  const isDisabled = ffmpeg.kind === 'missing';
  return (
    <div className={styles.choice}>
      <div className={styles.source}>
        <ChoiceGroup
          label="Source"
          value={choice.kind}
          onValue={(kind) => setChoice({ ...choice, kind })}
          options={sources}
          isDisabled={isDisabled}
        />
      </div>
      <div className={styles.quality}>
        <SelectField
          label="Quality"
          value={choice.quality}
          onValue={(quality) => setChoice({ ...choice, quality })}
          options={qualities}
          isDisabled={isDisabled}
        />
      </div>
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
