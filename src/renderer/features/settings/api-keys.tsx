import { KeyRound } from 'lucide-react';
import { type FormEvent, useRef, useState } from 'react';
import { isolateName } from '../../../shared/isolate-name.ts';
import { type ApiKey, ApiKeyName } from '../../../shared/model/api-key.ts';
import { Button } from '../../components/button.tsx';
import { FailureNotice } from '../../components/failure-notice.tsx';
import { TextField } from '../../components/text-field.tsx';
import { Unshown } from '../../components/unshown.tsx';
import { useAction } from '../../hooks/use-action.ts';
import { useGone } from '../../hooks/use-gone.ts';
import { useKept } from '../../hooks/use-kept.ts';
import { useLiveValue } from '../../hooks/use-live-value.ts';
import { useSubject } from '../../hooks/use-subject.ts';
import { useToasts } from '../../hooks/use-toasts.ts';
import { useStore } from '../../store/store-context.tsx';
import { ApiKeyTable } from './api-key-table.tsx';
import styles from './api-keys.module.css';
import { NewKey } from './new-key.tsx';
import { type OfferedKey, offeredKeysSlot, withoutRevoked } from './offered-keys.ts';
import { RevokeKeyDialog } from './revoke-key-dialog.tsx';
import { SettingsGroup } from './settings-group.tsx';

const none: readonly OfferedKey[] = [];

/** The advice after a lost answer, which alone contained the key. */
const lookForKey = "If the API key is in the list, revoke it and create another: it can't be shown any more.";

/** The API keys for other programs: created, offered once, listed, revoked. */
export function ApiKeys({ apiBaseUrl }: { apiBaseUrl: string | undefined }) {
  const keys = useLiveValue(useStore().apiKeys);
  // Each key is offered until the user says that it is copied, wherever they go meanwhile: no other call returns it.
  const [made, setMade] = useKept(offeredKeysSlot.key, offeredKeysSlot.stamp, () => none);
  const doomed = useSubject(keys.kind === 'known' ? keys.value : [], ({ id }) => id);
  const toasts = useToasts();
  const gone = useGone();
  const create = useAction(
    async (client, name: string) => {
      const signal = gone();
      const answer = await client.apiKey.create({ name });
      setMade((shown) => [answer, ...shown]);
      if (signal.aborted) toasts.say(`The new API key for ${isolateName(name)} is shown in Settings.`);
    },
    { ifGone: (name) => [name, 'got no API key'], ifUnanswered: lookForKey },
  );
  const markCopied = (id: string) =>
    setMade((shown) => shown.map((each) => (each.apiKey.id === id ? { ...each, isCopied: true } : each)));
  const takeAway = (id: string) => setMade((shown) => shown.filter(({ apiKey }) => apiKey.id !== id));
  const revoke = useAction(
    async (client, { id, name }: ApiKey) => {
      await client.apiKey.revoke({ id });
      takeAway(id);
      toasts.say(`${isolateName(name)} revoked`);
    },
    { about: doomed.subject?.id, ifGone: ({ name }) => [name, "wasn't revoked"] },
  );

  return (
    <SettingsGroup
      title="API keys"
      about={
        <>
          Other programs use the API, each with its own key
          {apiBaseUrl === undefined ? '.' : <>, at {apiBaseUrl}.</>}
        </>
      }
    >
      <NewKeyForm isPending={create.isPending} onCreate={create.run} />
      <FailureNotice failure={create.failure} />
      {withoutRevoked(made, keys).map(({ apiKey, secret }) => (
        <NewKey
          key={apiKey.id}
          name={apiKey.name}
          secret={secret}
          onCopied={() => markCopied(apiKey.id)}
          onDone={() => takeAway(apiKey.id)}
        />
      ))}
      {keys.kind === 'known' ? (
        <KnownKeys keys={keys.value} onRevoke={doomed.ask} />
      ) : (
        <Unshown what="the API keys" snapshot={keys} />
      )}
      <RevokeKeyDialog apiKey={doomed.subject} revoke={revoke} onClose={doomed.close} />
    </SettingsGroup>
  );
}

function KnownKeys({ keys, onRevoke }: { keys: readonly ApiKey[]; onRevoke: (key: ApiKey) => void }) {
  if (keys.length > 0) return <ApiKeyTable keys={keys} onRevoke={onRevoke} />;
  return (
    <p className={styles.empty}>
      <KeyRound aria-hidden size={16} /> No API keys yet. This app doesn't need one.
    </p>
  );
}

interface NewKeyFormProps {
  isPending: boolean;
  onCreate: (name: string) => Promise<boolean>;
}

function NewKeyForm({ isPending, onCreate }: NewKeyFormProps) {
  const [name, setName] = useState('');
  const [wasEdited, setEdited] = useState(false);
  const [wasTried, setTried] = useState(false);
  const input = useRef<HTMLInputElement>(null);
  const isRight = ApiKeyName.safeParse(name).success;
  const advice = name.length > 100 ? 'Use 100 characters or fewer.' : 'Name the program that will use it.';
  const isFaultShown = !isRight && (wasTried || wasEdited);

  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (isPending) return;
    setTried(true);
    if (!isRight) return input.current?.focus();
    if (!(await onCreate(name))) return;
    setTried(false);
    setEdited(false);
    // The name of the next key may already be typed.
    setName((now) => (now === name ? '' : now));
  };

  return (
    <form onSubmit={(event) => void submit(event)} noValidate>
      <TextField
        ref={input}
        label="Name of the new key"
        placeholder="Stream deck"
        value={name}
        onValue={(next) => {
          setName(next);
          setEdited(true);
        }}
        fault={isFaultShown ? advice : undefined}
        trailing={
          <Button type="submit" kind="primary" isPending={isPending}>
            Create key
          </Button>
        }
      />
    </form>
  );
}
