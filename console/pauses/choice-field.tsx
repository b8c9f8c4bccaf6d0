import { Check } from "lucide-react";
import { CheckboxGroup } from "react-aria-components/CheckboxGroup";
import { FieldError } from "react-aria-components/FieldError";
import { Label } from "react-aria-components/Label";
import { Radio, RadioGroup } from "react-aria-components/RadioGroup";
import { Checkbox } from "../parts/form/fields.tsx";

export type Option = { readonly id: string; readonly text: string; readonly about?: string | undefined };

type ChoiceFieldProps = {
  readonly label: string;
  readonly options: readonly Option[];
  readonly several?: boolean;
  readonly chosen: readonly string[];
  readonly problem?: string | undefined;
  readonly onChange: (chosen: readonly string[]) => void;
};

/** One option of several, or some of them. */
export function ChoiceField({
  label,
  options,
  several = false,
  chosen,
  problem,
  onChange,
}: ChoiceFieldProps) {
  const shared = { className: "field choice-field", isInvalid: problem !== undefined };
  if (several) {
    return (
      <CheckboxGroup {...shared} value={[...chosen]} onChange={onChange}>
        <Label className="field-label">{label}</Label>
        {options.map(({ id, text, about }) => (
          <Checkbox key={id} value={id}>
            <OptionText text={text} about={about} />
          </Checkbox>
        ))}
        <FieldError className="field-error">{problem}</FieldError>
      </CheckboxGroup>
    );
  }
  return (
    <RadioGroup {...shared} value={chosen[0] ?? null} onChange={(id) => onChange([id])}>
      <Label className="field-label">{label}</Label>
      {options.map(({ id, text, about }) => (
        <Radio key={id} value={id} className="check radio">
          <span className="check-box radio-box" aria-hidden>
            <Check size={12} strokeWidth={3} />
          </span>
          <OptionText text={text} about={about} />
        </Radio>
      ))}
      <FieldError className="field-error">{problem}</FieldError>
    </RadioGroup>
  );
}

const OptionText = ({ text, about }: Omit<Option, "id">) => (
  <span>
    {text}
    {about && <span className="small faint choice-about">{about}</span>}
  </span>
);
