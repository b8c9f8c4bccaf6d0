import { Check, ChevronDown, Minus } from "lucide-react";
import type { ReactNode } from "react";
import {
  Button as AriaButton,
  Checkbox as AriaCheckbox,
  Select as AriaSelect,
  TextField as AriaTextField,
  type TextFieldProps as AriaTextFieldProps,
  type CheckboxProps,
  FieldError,
  Input,
  Label,
  ListBox,
  ListBoxItem,
  Popover,
  SelectValue,
  Text,
  TextArea,
} from "react-aria-components";

type TextFieldProps = Omit<AriaTextFieldProps, "className" | "children"> & {
  readonly label: string;
  readonly hint?: ReactNode;
  readonly error?: string | undefined;
  readonly placeholder?: string;
  /** Lines of a text area; one line when absent. */
  readonly rows?: number;
  readonly hideLabel?: boolean;
  readonly inputClass?: string;
};

export function TextField({
  label,
  hint,
  error,
  placeholder,
  rows,
  hideLabel,
  inputClass,
  ...props
}: TextFieldProps) {
  const look = inputClass === undefined ? {} : { className: inputClass };
  return (
    <AriaTextField {...props} className="field" isInvalid={error !== undefined}>
      <Label className={hideLabel ? "hidden-visually" : "field-label"}>{label}</Label>
      {rows === undefined ? (
        <Input className={inputClass ?? "react-aria-Input"} placeholder={placeholder ?? ""} />
      ) : (
        <TextArea className="react-aria-TextArea" {...look} rows={rows} placeholder={placeholder ?? ""} />
      )}
      {hint !== undefined && (
        <Text slot="description" className="field-hint">
          {hint}
        </Text>
      )}
      <FieldError className="field-error">{error}</FieldError>
    </AriaTextField>
  );
}

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

export function Checkbox({
  children,
  ...props
}: Omit<CheckboxProps, "className" | "children"> & { readonly children?: ReactNode }) {
  return (
    <AriaCheckbox {...props} className="check">
      {({ isIndeterminate }) => (
        <>
          <span className="check-box" aria-hidden>
            {isIndeterminate ? <Minus size={12} strokeWidth={3} /> : <Check size={12} strokeWidth={3} />}
          </span>
          {children}
        </>
      )}
    </AriaCheckbox>
  );
}
