import { TextField } from "../parts/form/fields.tsx";
import { Select } from "../parts/form/select.tsx";
import { textOf } from "./values.ts";

type ValueFieldProps = {
  readonly name: string;
  /** str, int, float, bool, list or dict. */
  readonly type: string;
  readonly about?: string | null | undefined;
  readonly required?: boolean;
  readonly allowed?: readonly unknown[] | undefined;
  readonly text: string;
  readonly problem?: string | undefined;
  readonly onChange: (text: string) => void;
};

/** A field for one value of a type. Its text is read by `enteredValue`. */
export function ValueField({
  name,
  type,
  about,
  required = true,
  allowed,
  text,
  problem,
  onChange,
}: ValueFieldProps) {
  const label = `${labelOf(name)}${required ? "" : " (optional)"}`;
  const choices = type === "bool" ? [true, false] : allowed;
  if (choices && choices.length > 0) {
    const offered = choices.map((value) => ({ id: textOf(value), text: choiceText(value) }));
    return (
      <div className="field">
        <Select
          label={label}
          choices={required ? offered : [{ id: "", text: "No value" }, ...offered]}
          value={text}
          onChange={onChange}
        />
        {about && <div className="field-hint">{about}</div>}
        {problem !== undefined && <div className="field-error">{problem}</div>}
      </div>
    );
  }
  const isJson = type === "list" || type === "dict";
  return (
    <TextField
      label={label}
      value={text}
      onChange={onChange}
      error={problem}
      {...(about && { hint: about })}
      {...(isJson && { rows: 3, inputClass: "react-aria-TextArea mono" })}
      {...((type === "int" || type === "float") && { inputMode: type === "int" ? "numeric" : "decimal" })}
    />
  );
}

const choiceText = (value: unknown): string =>
  value === true ? "Yes" : value === false ? "No" : textOf(value);

/** A field's name as words. */
export function labelOf(name: string): string {
  const words = name.replaceAll("_", " ");
  return words.charAt(0).toUpperCase() + words.slice(1);
}
