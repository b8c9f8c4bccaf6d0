import { ToggleButton } from "react-aria-components/ToggleButton";
import { ToggleButtonGroup } from "react-aria-components/ToggleButtonGroup";
import type { Choice } from "./choice-option.tsx";

type SegmentsProps = {
  readonly label: string;
  readonly choices: readonly Choice[];
  readonly value: string;
  readonly onChange: (id: string) => void;
};

/** A choice between few, all of which are shown. */
export function Segments({ label, choices, value, onChange }: SegmentsProps) {
  return (
    <ToggleButtonGroup
      className="segments"
      aria-label={label}
      selectionMode="single"
      disallowEmptySelection
      selectedKeys={[value]}
      onSelectionChange={(keys) => {
        const [chosen] = keys;
        if (chosen !== undefined) onChange(String(chosen));
      }}
    >
      {choices.map(({ id, text }) => (
        <ToggleButton key={id} id={id} className="segment">
          {text}
        </ToggleButton>
      ))}
    </ToggleButtonGroup>
  );
}
