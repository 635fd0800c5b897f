import type { ComponentChildren, JSX } from "preact";

interface CheckProps {
  isOn: boolean;
  onChange(isOn: boolean): void;
  hint?: string;
  /** The label. */
  children: ComponentChildren;
}

/** A box to tick. */
export function Check({ isOn, onChange, hint, children }: CheckProps): JSX.Element {
  return (
    <label class="check" title={hint}>
      <input
        type="checkbox"
        checked={isOn}
        onChange={(event) => onChange(event.currentTarget.checked)}
      />
      {children}
    </label>
  );
}
