import { Tooltip } from '@base-ui/react/tooltip';
import { type ComponentProps, cloneElement, type ReactNode } from 'react';
import styles from './icon-button.module.css';
import { popupLayer } from './popup-layer.ts';

interface IconButtonProps extends Omit<ComponentProps<'button'>, 'children'> {
  /** Read by screen readers and shown as a tooltip. */
  label: string;
  icon: ReactNode;
  /** `glass` is for use over a picture. */
  surface?: 'plain' | 'glass';
  /** Whether to show the tooltip. Turn it off where the button gets the initial focus: Escape would close the tooltip first. */
  hasTip?: boolean;
  /** Nothing can be done for now: a press does nothing, and the focus stays. */
  isUnavailable?: boolean;
}

/** An icon button with an accessible name. */
export function IconButton({
  label,
  icon,
  surface = 'plain',
  hasTip = true,
  isUnavailable = false,
  onClick,
  ...rest
}: IconButtonProps) {
  const button = (
    <button
      type="button"
      {...rest}
      className={styles.button}
      data-surface={surface}
      aria-label={label}
      aria-disabled={isUnavailable || undefined}
      onClick={isUnavailable ? undefined : onClick}
    />
  );
  if (!hasTip) return cloneElement(button, {}, icon);
  return (
    <Tooltip.Root disableHoverablePopup>
      <Tooltip.Trigger render={button}>{icon}</Tooltip.Trigger>
      <Tooltip.Portal container={popupLayer()}>
        <Tooltip.Positioner sideOffset={6} collisionPadding={8} className={styles.positioner}>
          <Tooltip.Popup className={styles.tip}>
            <span className={styles.words}>{label}</span>
          </Tooltip.Popup>
        </Tooltip.Positioner>
      </Tooltip.Portal>
    </Tooltip.Root>
  );
}
