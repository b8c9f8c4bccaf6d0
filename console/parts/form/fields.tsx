import { Check, Minus } from "lucide-react";
import type { ReactNode } from "react";
import { Checkbox as AriaCheckbox, type CheckboxProps } from "react-aria-components/Checkbox";
import { FieldError } from "react-aria-components/FieldError";
import { Input } from "react-aria-components/Input";
import { Label } from "react-aria-components/Label";
import { Text } from "react-aria-components/Text";
import { TextArea } from "react-aria-components/TextArea";
import {
  TextField as AriaTextField,
  type TextFieldProps as AriaTextFieldProps,
} from "react-aria-components/TextField";

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
        <Input dir="auto" className={inputClass ?? "react-aria-Input"} placeholder={placeholder ?? ""} />
      ) : (
        <TextArea
          dir="auto"
          className="react-aria-TextArea"
          {...look}
          rows={rows}
          placeholder={placeholder ?? ""}
        />
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
