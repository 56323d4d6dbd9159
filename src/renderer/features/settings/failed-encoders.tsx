import { useState } from 'react';
import { Button } from '../../components/button.tsx';
import { Disclosure } from '../../components/disclosure.tsx';
import type { FailedEncoder } from './encoder-options.ts';
import styles from './encoder-setting.module.css';

/** The encoders that failed here, with the reason, and ffmpeg's output on click. */
export function FailedEncoders({ failed }: { failed: readonly FailedEncoder[] }) {
  if (failed.length === 0) return null;
  return (
    <Disclosure title={failed.length === 1 ? "1 encoder doesn't work here" : `${failed.length} encoders don't work here`}>
      <ul className={styles.list}>
        {failed.map((encoder) => (
          <li key={encoder.name}>
            <FailedEncoderView encoder={encoder} />
          </li>
        ))}
      </ul>
    </Disclosure>
  );
}

function FailedEncoderView({ encoder: { name, sentence, stderr } }: { encoder: FailedEncoder }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <div className={styles.row}>
        <b className={styles.name}>{name}</b>
        <span className={styles.sentence}>{sentence}</span>
        {stderr.length === 0 ? null : (
          <Button
            kind="text"
            aria-expanded={isOpen}
            aria-label={isOpen ? `Hide ffmpeg output for ${name}` : `Show ffmpeg output for ${name}`}
            onClick={() => setOpen(!isOpen)}
          >
            {isOpen ? 'Hide' : 'ffmpeg output'}
          </Button>
        )}
      </div>
      {isOpen ? (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard
        <section className={styles.stderr} tabIndex={0} aria-label={`ffmpeg output for ${name}`}>
          <pre>{stderr.join('\n')}</pre>
        </section>
      ) : null}
    </>
  );
}
