import { Button } from '../../components/button.tsx';
import { CopyField } from '../../components/copy-field.tsx';
import styles from './new-key.module.css';

/** A new API key, shown only this once. */
export function NewKey({ name, secret, onDone }: { name: string; secret: string; onDone: () => void }) {
  return (
    <div className={styles.made} role="status">
      <p>
        <strong>
          <bdi>{name}</bdi> is ready.
        </strong>{' '}
        Copy its key now. It's shown only once.
      </p>
      <CopyField label="API key" shown={secret} />
      <Button onClick={onDone}>I've copied it</Button>
    </div>
  );
}
