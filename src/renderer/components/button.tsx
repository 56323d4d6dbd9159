import type { ComponentProps, ReactNode } from 'react';
import styles from './button.module.css';

interface ButtonProps extends ComponentProps<'button'> {
  /** Its prominence. */
  kind?: 'primary' | 'quiet' | 'danger' | 'text' | 'bar';
  size?: 'normal' | 'large';
  icon?: ReactNode;
  /** Whether its action is still running; pressing again does nothing. */
  isPending?: boolean;
  /** Nothing can be done for now: a press does nothing, and the focus stays. */
  isUnavailable?: boolean;
}

/** A button with an optional icon before its words. */
export function Button({
  kind = 'quiet',
  size = 'normal',
  icon,
  isPending = false,
  isUnavailable = false,
  children,
  onClick,
  ...rest
}: ButtonProps) {
  return (
    <button
      type="button"
      {...rest}
      className={styles.button}
      data-kind={kind}
      data-size={size}
      aria-busy={isPending || undefined}
      aria-disabled={isUnavailable || undefined}
      onClick={isPending || isUnavailable ? (event) => event.preventDefault() : onClick}
    >
      {icon}
      <span className={styles.words}>{children}</span>
    </button>
  );
}
