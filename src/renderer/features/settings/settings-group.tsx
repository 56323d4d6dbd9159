import { type ReactNode, useId } from 'react';
import styles from './settings-group.module.css';

interface SettingsGroupProps {
  title: string;
  /** What it is for, beside the title. */
  about: ReactNode;
  children: ReactNode;
}

/** One question of Settings: what it is at the left, its answer at the right. */
export function SettingsGroup({ title, about, children }: SettingsGroupProps) {
  const id = useId();
  return (
    <section className={styles.group} aria-labelledby={id}>
      <div className={styles.about}>
        <h2 className={styles.title} id={id}>
          {title}
        </h2>
        <div className={styles.text}>{about}</div>
      </div>
      <div className={styles.body}>{children}</div>
    </section>
  );
}
