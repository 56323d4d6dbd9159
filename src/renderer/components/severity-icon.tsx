import { CircleAlert, CircleCheck, TriangleAlert } from 'lucide-react';
import type { Severity } from '../../shared/model/live.ts';
import styles from './severity-icon.module.css';

const icons = { good: CircleCheck, warn: TriangleAlert, bad: CircleAlert } as const;
const words = { good: 'Good', warn: 'Warning', bad: 'Problem' } as const;

/** A severity as an icon. The word is beside it, or comes from `named`. */
export function SeverityIcon({ severity, size, named = false }: { severity: Severity; size: number; named?: boolean }) {
  const Icon = icons[severity];
  const name = named ? { role: 'img', 'aria-label': words[severity] } : { 'aria-hidden': true };
  return <Icon className={styles.icon} data-severity={severity} size={size} strokeWidth={1.9} {...name} />;
}
