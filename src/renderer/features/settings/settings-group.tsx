import { type ReactNode, useId } from 'react';
import styles from './settings-group.module.css';

interface SettingsGroupProps {
  title: string;
  /** Its purpose, beside the title. */
  about: ReactNode;
  children: ReactNode;
}

/** One topic of Settings, with its title on the left and its content on the right. */
export function SettingsGroup({ title, about, children }: SettingsGroupProps) {
  const id = useId();
  return (
    <section className={styles.group} aria-labelledby={id}>
      <div>
        <h2 className={styles.title} id={id}>
          {title}
        </h2>
        <div className={styles.text}>{about}</div>
      </div>
      <div className={styles.body}>{children}</div>
    </section>
  );
}
