import { useEffect, useRef, useState } from 'react';
import uPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';
import { hasSameContent } from '../../../shared/same-content.ts';
import { formatTimeOfDay } from '../../format/moment.ts';
import { useLatest } from '../../hooks/use-latest.ts';
import type { MeterHistory } from '../../store/meter-history.ts';
import styles from './bitrate-chart.module.css';
import { type BitrateWords, describeBitrates, rangeOf } from './bitrate-words.ts';

const heightPixels = 72;

interface BitrateChartProps {
  history: MeterHistory;
  /** The encoder's target, drawn as a dashed line. */
  targetBps: number | undefined;
  clockOffsetMs: number;
}

/** The bitrate of the last five minutes, as far as this page has seen it, with gaps where it is unknown. */
export function BitrateChart({ history, targetBps, clockOffsetMs }: BitrateChartProps) {
  const place = useRef<HTMLDivElement>(null);
  const [words, setWords] = useState<BitrateWords>(() => describeBitrates(undefined, undefined));
  const latest = useLatest({ clockOffsetMs, targetBps });

  useEffect(() => {
    const element = place.current;
    if (element === null) return;
    const scheme = window.matchMedia('(prefers-color-scheme: dark)');
    let chart = draw(element);
    const update = () => {
      const offsetMs = latest.current.clockOffsetMs;
      const { seconds, bitratesBps, beganAt } = history.read(Date.now() + offsetMs);
      const target = latest.current.targetBps ?? null;
      chart.setData([seconds, bitratesBps, seconds.map(() => target)]);
      const since = beganAt === undefined ? undefined : formatTimeOfDay(beganAt * 1000 - offsetMs);
      const next = describeBitrates(rangeOf(bitratesBps), since);
      setWords((shown) => (hasSameContent(shown, next) ? shown : next));
    };
    const redraw = () => {
      chart.destroy();
      chart = draw(element);
      update();
    };
    const resized = new ResizeObserver(() => chart.setSize({ width: element.clientWidth, height: heightPixels }));
    resized.observe(element);
    scheme.addEventListener('change', redraw);
    const timer = setInterval(update, 1_000);
    update();
    return () => {
      clearInterval(timer);
      scheme.removeEventListener('change', redraw);
      resized.disconnect();
      chart.destroy();
    };
  }, [history, latest]);

  return (
    <figure className={styles.chart}>
      <figcaption className={styles.caption}>
        <span>{words.title}</span>
        <span>{words.peak}</span>
      </figcaption>
      <div className={styles.place} ref={place} role="img" aria-label={words.alternative} />
    </figure>
  );
}

function draw(element: HTMLElement): uPlot {
  const colours = getComputedStyle(element);
  return new uPlot(
    {
      width: element.clientWidth,
      height: heightPixels,
      padding: [6, 0, 4, 0],
      legend: { show: false },
      cursor: { show: false },
      axes: [{ show: false }, { show: false }],
      scales: { y: { range: (_chart, _min, max) => [0, Math.max(max ?? 0, 1) * 1.08] } },
      series: [
        {},
        {
          stroke: colours.getPropertyValue('--accent'),
          fill: colours.getPropertyValue('--accent-wash'),
          width: 1.5,
          spanGaps: false,
          points: { show: false },
        },
        { stroke: colours.getPropertyValue('--line-strong'), width: 1, dash: [4, 4], points: { show: false } },
      ],
    },
    [[], [], []],
    element,
  );
}
