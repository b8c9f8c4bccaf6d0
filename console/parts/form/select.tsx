import { ChevronDown } from "lucide-react";
import { Button as AriaButton } from "react-aria-components/Button";
import { Label } from "react-aria-components/Label";
import { ListBox, ListBoxItem } from "react-aria-components/ListBox";
import { Popover } from "react-aria-components/Popover";
import { Select as AriaSelect, SelectValue } from "react-aria-components/Select";

export type Choice = { readonly id: string; readonly text: string; readonly about?: string };

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
        <ListBox items={choices}>
          {({ id, text, about }) => (
            <ListBoxItem id={id} textValue={text} className="option">
              <div>
                {text}
                {about !== undefined && <div className="small faint">{about}</div>}
              </div>
            </ListBoxItem>
          )}
        </ListBox>
      </Popover>
    </AriaSelect>
  );
}
