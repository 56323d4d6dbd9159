import type { LogLine } from '../../../shared/model/log-line.ts';
import { describeLogEvent } from '../../../shared/words/log-words.ts';
import { SeverityIcon } from '../../components/severity-icon.tsx';
import { formatTimeOfDay } from '../../format/moment.ts';
import smallTitleStyles from './small-title.module.css';
import styles from './what-happened.module.css';

/** Lines shown at most; the service keeps the rest. */
const shownLines = 50;

/** What happened on the stream, newest first. */
export function WhatHappened({ lines, clockOffsetMs }: { lines: readonly LogLine[]; clockOffsetMs: number }) {
  return (
    <section aria-labelledby="what-happened">
      <h3 className={smallTitleStyles.title} id="what-happened">
        What happened
      </h3>
      {lines.length === 0 ? <p className={styles.empty}>Nothing since Tallylight started.</p> : null}
      <ol className={styles.lines}>
        {lines.slice(0, shownLines).map(({ id, at, severity, event }) => (
          <li key={id} className={styles.line}>
            <time dateTime={new Date(at).toISOString()}>{formatTimeOfDay(at - clockOffsetMs)}</time>
            {severity === 'good' ? <span aria-hidden /> : <SeverityIcon severity={severity} size={12} named />}
            <span className={styles.sentence}>{describeLogEvent(event)}</span>
          </li>
        ))}
      </ol>
    </section>
  );
}
