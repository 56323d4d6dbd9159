import { ChevronRight } from 'lucide-react';
import { type ReactNode, useId, useState } from 'react';
import styles from './disclosure.module.css';

/** A title that expands its content. Collapsed content is not rendered, so it measures nothing. */
export function Disclosure({ title, children }: { title: string; children: ReactNode }) {
  const id = useId();
  const [isOpen, setOpen] = useState(false);
  return (
    <section className={styles.disclosure} aria-label={title}>
      <button
        type="button"
        className={styles.title}
        aria-expanded={isOpen}
        aria-controls={isOpen ? id : undefined}
        onClick={() => setOpen(!isOpen)}
      >
        <ChevronRight className={styles.sign} aria-hidden size={14} />
        {title}
      </button>
      {isOpen ? (
        <div className={styles.body} id={id}>
          {children}
        </div>
      ) : null}
    </section>
  );
}
