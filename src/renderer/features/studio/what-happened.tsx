import type { LogLine } from '../../../shared/model/log-line.ts';
import { describeLogEvent } from '../../../shared/words/log-words.ts';
import { SeverityIcon } from '../../components/severity-icon.tsx';
import { coarseAgeStepMs } from '../../format/age.ts';
import { formatMoment } from '../../format/moment.ts';
import { useNow } from '../../hooks/use-now.ts';
import smallTitleStyles from './small-title.module.css';
import styles from './what-happened.module.css';

/** Lines shown at most; the service keeps the rest. */
const shownLines = 50;

/** What happened on the stream, newest first. */
export function WhatHappened({ lines, clockOffsetMs }: { lines: readonly LogLine[]; clockOffsetMs: number }) {
  const now = useNow(coarseAgeStepMs);
  return (
    <section aria-labelledby="what-happened">
      <h3 className={smallTitleStyles.title} id="what-happened">
        What happened
      </h3>
      {lines.length === 0 ? <p className={styles.empty}>Nothing since Tallylight started.</p> : null}
      <ol className={styles.lines}>
        {lines.slice(0, shownLines).map(({ id, at, severity, event }) => (
          <li key={id} className={styles.line}>
            <time dateTime={new Date(at).toISOString()}>{formatMoment(at - clockOffsetMs, now)}</time>
            {severity === 'good' ? <span aria-hidden /> : <SeverityIcon severity={severity} size={12} named />}
            <span className={styles.sentence}>{describeLogEvent(event, clockOffsetMs)}</span>
          </li>
        ))}
      </ol>
    </section>
  );
}
