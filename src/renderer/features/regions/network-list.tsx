import { Trash2 } from 'lucide-react';
import { type FormEvent, useRef, useState } from 'react';
import type { RegionNetwork, RegionsView } from '../../../shared/model/region.ts';
import { formatRegion } from '../../../shared/words/region-name.ts';
import { networkFaultWords } from '../../../shared/words/region-words.ts';
import { Button } from '../../components/button.tsx';
import { FailureNotice } from '../../components/failure-notice.tsx';
import { IconButton } from '../../components/icon-button.tsx';
import { SelectField } from '../../components/select-field.tsx';
import { TextField } from '../../components/text-field.tsx';
import { useAction } from '../../hooks/use-action.ts';
import styles from './network-list.module.css';
import { addNetwork } from './region-draft.ts';

/** The networks whose callers are nearest to a region, with a form for one more. */
export function NetworkList({ view, isEditable }: { view: RegionsView; isEditable: boolean }) {
  const { networks, regions } = view;
  const [network, setNetwork] = useState('');
  const [region, setRegion] = useState<string>();
  const [wasTried, setTried] = useState(false);
  const input = useRef<HTMLInputElement>(null);
  const save = useAction((client, regionNetworks: RegionNetwork[]) => client.settings.update({ regionNetworks }), {
    ifGone: () => ['Regions', "weren't saved"],
  });
  const chosen = (regions.find(({ code }) => code === region) ?? regions[0])?.code ?? '';
  const result = addNetwork(networks, { network, region: chosen });

  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (save.isPending) return;
    setTried(true);
    if ('fault' in result) return input.current?.focus();
    if (!(await save.run(result.networks))) return;
    setTried(false);
    // The next network may already be typed.
    setNetwork((now) => (now === network ? '' : now));
  };

  return (
    <div className={styles.networks}>
      {networks.length === 0 ? (
        <p className={styles.none}>None: every caller from elsewhere gets this computer's region.</p>
      ) : (
        <ul aria-label="Networks">
          {networks.map((each) => (
            <li key={each.network} className={styles.row}>
              <span className={styles.network}>{each.network}</span>
              <span className={styles.region}>{formatRegion(each.region)}</span>
              {isEditable ? (
                <IconButton
                  label={`Remove ${each.network}`}
                  icon={<Trash2 aria-hidden />}
                  disabled={save.isPending}
                  onClick={() => void save.run(networks.filter((other) => other !== each))}
                />
              ) : null}
            </li>
          ))}
        </ul>
      )}
      {isEditable ? (
        <form className={styles.form} onSubmit={(event) => void submit(event)} noValidate>
          <TextField
            ref={input}
            label="Network"
            placeholder="203.0.113.0/24"
            value={network}
            onValue={(value) => {
              setNetwork(value);
              if (value === '') setTried(false);
            }}
            fault={wasTried && 'fault' in result ? networkFaultWords[result.fault] : undefined}
          />
          <SelectField
            isInForm
            label="Nearest region"
            value={chosen}
            onValue={setRegion}
            options={regions.map(({ code }) => ({ value: code, label: formatRegion(code) }))}
          />
          <Button type="submit" isPending={save.isPending}>
            Add network
          </Button>
        </form>
      ) : null}
      <FailureNotice failure={save.failure} />
    </div>
  );
}
