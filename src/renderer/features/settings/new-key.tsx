import { Button } from '../../components/button.tsx';
import { SecretField } from '../../components/secret-field.tsx';
import styles from './new-key.module.css';

interface NewKeyProps {
  name: string;
  secret: string;
  /** The button has copied it; the user may copy it again. */
  onCopied: () => void;
  onDone: () => void;
}

/** A new API key, offered only this once: masked, since the screen may be shared. */
export function NewKey({ name, secret, onCopied, onDone }: NewKeyProps) {
  return (
    <div className={styles.made}>
      <p role="status">
        <strong>
          <bdi>{name}</bdi> is ready.
        </strong>{' '}
        Copy its key now. You can't get it later.
      </p>
      <SecretField label="API key" mask="••••••••••••••••" read={async () => secret} onCopied={onCopied} />
      <Button onClick={onDone}>I've copied it</Button>
    </div>
  );
}
