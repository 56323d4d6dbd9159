import { useEffect, useRef, useState } from 'react';
import uPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';
import { formatBitrate, formatKilobits } from '../../../shared/format-count.ts';
import type { MeterHistory } from '../../store/meter-history.ts';
import styles from './bitrate-chart.module.css';

const heightPixels = 72;

interface BitrateChartProps {
  history: MeterHistory;
  /** The encoder's target, drawn as a dashed line. */
  targetBps: number | undefined;
  clockOffsetMs: number;
}

/** The bitrate of the last five minutes, with gaps where it is unknown. */
export function BitrateChart({ history, targetBps, clockOffsetMs }: BitrateChartProps) {
  const place = useRef<HTMLDivElement>(null);
  const [range, setRange] = useState<{ min: number; max: number }>();
  const latest = useRef({ clockOffsetMs, targetBps });
  useEffect(() => {
    latest.current = { clockOffsetMs, targetBps };
  }, [clockOffsetMs, targetBps]);

  useEffect(() => {
    const element = place.current;
    if (element === null) return;
    const scheme = window.matchMedia('(prefers-color-scheme: dark)');
    let chart = draw(element);
    const update = () => {
      const { seconds, bitratesBps } = history.read(Date.now() + latest.current.clockOffsetMs);
      const target = latest.current.targetBps ?? null;
      chart.setData([seconds, bitratesBps, seconds.map(() => target)]);
      setRange((shown) => sameOr(shown, rangeOf(bitratesBps)));
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
  }, [history]);

  return (
    <figure className={styles.chart}>
      <figcaption className={styles.caption}>
        <span>Bitrate, last 5 minutes</span>
        <span>{range === undefined ? '' : `peak ${formatBitrate(range.max)}`}</span>
      </figcaption>
      <div
        className={styles.place}
        ref={place}
        role="img"
        aria-label={
          range === undefined
            ? 'No bitrate measured in the last 5 minutes'
            : `Bitrate between ${formatKilobits(range.min)} and ${formatBitrate(range.max)}`
        }
      />
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

function rangeOf(bitratesBps: readonly (number | null)[]): { min: number; max: number } | undefined {
  const known = bitratesBps.filter((bitrate) => bitrate !== null);
  return known.length === 0 ? undefined : { min: Math.min(...known), max: Math.max(...known) };
}

function sameOr(shown: { min: number; max: number } | undefined, next: { min: number; max: number } | undefined) {
  return shown?.min === next?.min && shown?.max === next?.max ? shown : next;
}
