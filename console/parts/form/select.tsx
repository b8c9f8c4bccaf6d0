import { ChevronDown } from "lucide-react";
import { Button as AriaButton } from "react-aria-components/Button";
import { Label } from "react-aria-components/Label";
import { ListBox } from "react-aria-components/ListBox";
import { Popover } from "react-aria-components/Popover";
import { Select as AriaSelect, SelectValue } from "react-aria-components/Select";
import { type Choice, choiceOption } from "./choice-option.tsx";

type SelectProps = {
  readonly label: string;
  readonly choices: readonly Choice[];
  readonly value: string;
  readonly onChange: (id: string) => void;
  readonly hideLabel?: boolean;
  readonly isDisabled?: boolean;
};

export function Select({ label, choices, value, onChange, hideLabel, isDisabled = false }: SelectProps) {
  return (
    <AriaSelect
      className="field"
      value={value}
      onChange={(id) => id !== null && onChange(String(id))}
      isDisabled={isDisabled}
    >
      <Label className={hideLabel ? "hidden-visually" : "field-label"}>{label}</Label>
      <AriaButton className="select-button">
        <SelectValue className="cut">{choices.find(({ id }) => id === value)?.text ?? ""}</SelectValue>
        <ChevronDown size={14} aria-hidden />
      </AriaButton>
      <Popover className="popover">
        <ListBox items={choices}>{choiceOption}</ListBox>
      </Popover>
    </AriaSelect>
  );
}
