import { ChevronDown } from "lucide-react";
import type { ReactNode } from "react";
import { Button as AriaButton } from "react-aria-components/Button";
import { ComboBox } from "react-aria-components/ComboBox";
import { FieldError } from "react-aria-components/FieldError";
import { Input } from "react-aria-components/Input";
import { Label } from "react-aria-components/Label";
import { ListBox } from "react-aria-components/ListBox";
import { Popover } from "react-aria-components/Popover";
import { Text } from "react-aria-components/Text";
import { type Choice, choiceOption } from "./choice-option.tsx";

type ComboProps = {
  readonly label: string;
  readonly choices: readonly Choice[];
  readonly value: string;
  readonly onChange: (id: string) => void;
  readonly hint?: ReactNode;
  readonly error?: string | undefined;
  readonly placeholder?: string;
  /** Takes what is typed too, also where it is no choice. */
  readonly isFree?: boolean;
};

/** One of many choices, found by typing. */
export function Combo({
  label,
  choices,
  value,
  onChange,
  hint,
  error,
  placeholder = "",
  isFree = false,
}: ComboProps) {
  // What is typed freely has no key that is set from outside: the menu would open again for the text of a choice.
  const typed = isFree
    ? { inputValue: value, onInputChange: onChange, allowsCustomValue: true }
    : { selectedKey: value || null };
  return (
    <ComboBox
      className="field"
      defaultItems={choices}
      onSelectionChange={(key) => key !== null && onChange(String(key))}
      isInvalid={error !== undefined}
      menuTrigger="focus"
      // What is typed before the choices are known finds them when they come.
      allowsEmptyCollection
      {...typed}
    >
      <Label className="field-label">{label}</Label>
      <div className="combo">
        <Input className="react-aria-Input" placeholder={placeholder} />
        <AriaButton className="combo-button" aria-label="Show the choices">
          <ChevronDown size={14} aria-hidden />
        </AriaButton>
      </div>
      {hint !== undefined && (
        <Text slot="description" className="field-hint">
          {hint}
        </Text>
      )}
      <FieldError className="field-error">{error}</FieldError>
      <Popover className="popover">
        <ListBox<Choice>
          renderEmptyState={() => (
            <div className="option faint">{isFree ? "Nothing to propose" : "No matches"}</div>
          )}
        >
          {choiceOption}
        </ListBox>
      </Popover>
    </ComboBox>
  );
}
