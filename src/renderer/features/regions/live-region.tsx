import { useEffect, useState } from 'react';
import type { RegionsView } from '../../../shared/model/region.ts';
import type { SettingSources, SettingsChanges } from '../../../shared/model/settings.ts';
import { formatRegion } from '../../../shared/words/region-name.ts';
import { CheckboxRow } from '../../components/checkbox-row.tsx';
import { FailureNotice } from '../../components/failure-notice.tsx';
import { SelectField } from '../../components/select-field.tsx';
import { useAction } from '../../hooks/use-action.ts';
import { describeGiven } from '../../status/given-setting.ts';
import styles from './live-region.module.css';

/** The region that *Go live* sends to, and whether it may switch by itself. Saved at once. */
export function LiveRegion({ view, sources }: { view: RegionsView; sources: SettingSources }) {
  const save = useAction((client, changes: SettingsChanges) => client.settings.update(changes), {
    ifGone: () => ['Regions', "weren't saved"],
  });
  // The requested value is shown until the service has it.
  const [wanted, setWanted] = useState<{ isOn: boolean; insteadOf: boolean }>();
  useEffect(() => {
    // Once the setting has changed, only the service's value counts.
    setWanted((now) => (now?.insteadOf === view.changesRegion ? now : undefined));
  }, [view.changesRegion]);
  const changeSwitch = async (isOn: boolean) => {
    setWanted({ isOn, insteadOf: view.changesRegion });
    if (!(await save.run({ changesRegion: isOn }))) setWanted(undefined);
  };
  const { regionChoice, changesRegion } = sources;
  const nearest = view.nearest === undefined ? '' : `: ${formatRegion(view.nearest)}`;
  const codes = view.regions.map(({ code }) => code);
  // A region that isn't in the list any more counts as automatic.
  const value = codes.includes(view.choice) ? view.choice : 'automatic';
  return (
    <div className={styles.choice}>
      <div className={styles.select}>
        <SelectField
          isInForm
          label="Go live sends to"
          value={value}
          onValue={(choice) => void save.run({ regionChoice: choice })}
          isDisabled={regionChoice !== undefined}
          options={[
            { value: 'automatic', label: `The nearest${nearest}` },
            ...codes.map((code) => ({ value: code, label: formatRegion(code) })),
          ]}
        />
        <p className={styles.hint}>
          {describeGiven(regionChoice) ??
            'From the next broadcast on. Another region must have the stream, with the same stream key.'}
        </p>
      </div>
      <CheckboxRow
        label="Switch to the next nearest region when one fails"
        note={
          describeGiven(changesRegion) ??
          'Without asking. Ingest and playback change together, so viewers need another playback URL.'
        }
        isChecked={wanted?.insteadOf === view.changesRegion ? wanted.isOn : view.changesRegion}
        isDisabled={changesRegion !== undefined}
        onChecked={(isOn) => void changeSwitch(isOn)}
      />
      <FailureNotice failure={save.failure} />
    </div>
  );
}
