import { Plus, Trash2 } from "lucide-react";
import { Button } from "../../parts/button.tsx";
import { labelOf, ValueField } from "../../pauses/value-field.tsx";
import { isObject } from "../../pauses/values.ts";
import { initialValue, type JsonSchema, problemOf, typeOf, wireTypes } from "./json-schema.ts";

type InputFormProps = {
  readonly schema: JsonSchema;
  readonly value: unknown;
  readonly onChange: (value: unknown) => void;
  readonly name?: string;
  readonly isRequired?: boolean;
  /** Whether what is missing or wrong is shown. */
  readonly isChecked: boolean;
};

/**
 * Fields for a value that fits a JSON Schema: objects as groups, lists with their items. What the schema does not say
 * clearly is entered as JSON. Texts of numbers are kept as they were typed; `inputValue` reads them.
 */
export function InputForm({
  schema,
  value,
  onChange,
  name = "",
  isRequired = true,
  isChecked,
}: InputFormProps) {
  const type = typeOf(schema);
  if (type === "object" && isObject(schema.properties)) {
    const fields = Object.entries(schema.properties);
    const given = isObject(value) ? value : {};
    const required = Array.isArray(schema.required) ? schema.required : [];
    const inner = fields.map(([field, of]) => (
      <InputForm
        key={field}
        name={field}
        schema={isObject(of) ? of : {}}
        isRequired={required.includes(field)}
        isChecked={isChecked}
        value={given[field]}
        onChange={(next) => onChange({ ...given, [field]: next })}
      />
    ));
    if (name === "") return <div className="input-form">{inner}</div>;
    return (
      <fieldset className="input-group">
        <legend className="field-label">{labelOf(name)}</legend>
        {inner}
      </fieldset>
    );
  }
  if (type === "array" && isObject(schema.items)) {
    const { items } = schema;
    const given = Array.isArray(value) ? value : [];
    const one = labelOf(name).toLowerCase();
    return (
      <fieldset className="input-group">
        <legend className="field-label">{labelOf(name)}</legend>
        {given.map((item, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: items have no other identity
          <div key={at} className="input-item">
            <InputForm
              schema={items}
              {...(typeOf(items) !== "object" && { name: `${name} ${at + 1}` })}
              isChecked={isChecked}
              value={item}
              onChange={(next) => onChange(given.with(at, next))}
            />
            <Button
              kind="plain"
              icon={<Trash2 size={14} aria-hidden />}
              label={`Remove item ${at + 1} of ${one}`}
              onPress={() => onChange(given.toSpliced(at, 1))}
            />
          </div>
        ))}
        <div className="row">
          <Button
            size="small"
            icon={<Plus size={13} aria-hidden />}
            onPress={() => onChange([...given, initialValue(items)])}
          >
            Add to {one}
          </Button>
        </div>
      </fieldset>
    );
  }
  return (
    <ValueField
      name={name}
      type={wireTypes[type] ?? "any"}
      about={typeof schema.description === "string" ? schema.description : undefined}
      required={isRequired}
      allowed={Array.isArray(schema.enum) ? schema.enum : undefined}
      text={typeof value === "string" ? value : ""}
      problem={isChecked ? problemOf(schema, value, isRequired) : undefined}
      onChange={onChange}
    />
  );
}
