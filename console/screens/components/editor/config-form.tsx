import { useQuery } from "@tanstack/react-query";
import { X } from "lucide-react";
import { useState } from "react";
import { useMay } from "../../../access/use-me.ts";
import type { Kind } from "../../../api/kinds.ts";
import { storedSkills } from "../../../api/queries.ts";
import { Badge } from "../../../parts/badge.tsx";
import { Button } from "../../../parts/button.tsx";
import { Combo } from "../../../parts/form/combo.tsx";
import { TextField } from "../../../parts/form/fields.tsx";
import { mayTakeFocus } from "../../../parts/form/may-take-focus.ts";
import { Select } from "../../../parts/form/select.tsx";
import { CommonFields } from "../common-fields.tsx";
import { useRegistry } from "../use-components.ts";
import {
  draftOf,
  knowledgeIn,
  patched,
  skillsIn,
  variablesIn,
  withoutSkill,
  withoutUndefined,
  withSkill,
} from "./config-draft.ts";

type Fields = Readonly<Record<string, unknown>>;

type FormProps = {
  readonly kind: Kind;
  readonly config: Fields;
  readonly onChange: (config: Fields) => void;
  /** Whether the reader has just come: the instructions are ready to be written. Who comes back from the JSON keeps the focus on the tabs. */
  readonly isFirst: boolean;
};

/** The parts of an agent's or a team's config that most changes are about. The rest is changed as JSON. */
export function ConfigForm({ kind, config, onChange, isFirst }: FormProps) {
  const { data: registered = [] } = useRegistry();
  const bases = registered.filter(({ type }) => type === "knowledge").map(({ name }) => name);
  const base = knowledgeIn(config);
  const choices = [...new Set([...bases, ...(base === "" ? [] : [base])])];
  return (
    <div className="form">
      <CommonFields
        draft={draftOf(kind, config)}
        registered={registered}
        onChange={(changes) => onChange(patched(config, changes))}
        rows={12}
        takesFocus={isFirst && mayTakeFocus()}
      />
      <Variables config={config} />
      {choices.length > 0 && (
        <fieldset className="form-group">
          <legend>Knowledge</legend>
          <Select
            label="Knowledge base"
            choices={[{ id: "none", text: "None" }, ...choices.map((name) => ({ id: name, text: name }))]}
            value={base || "none"}
            onChange={(name) =>
              onChange(withoutUndefined({ ...config, knowledge: name === "none" ? undefined : { name } }))
            }
          />
        </fieldset>
      )}
      <Skills config={config} onChange={onChange} />
    </div>
  );
}

function Variables({ config }: Pick<FormProps, "config">) {
  const variables = variablesIn(config);
  return (
    <fieldset className="form-group">
      <legend>Variables</legend>
      {variables.length === 0 ? (
        <p className="small soft">
          None. A name in braces, such as <code>{"{city}"}</code>, stands for a value of the session’s state,
          of the dependencies or of the metadata.
        </p>
      ) : (
        <ul className="stack-tight small">
          {variables.map(({ name, from }) => (
            <li key={name} className="row">
              <code>{`{${name}}`}</code>
              {from === undefined ? (
                <Badge tone="warn">stays as it is unless a run brings it</Badge>
              ) : (
                <span className="faint">from {from}</span>
              )}
            </li>
          ))}
        </ul>
      )}
    </fieldset>
  );
}

function Skills({ config, onChange }: Pick<FormProps, "config" | "onChange">) {
  const [name, setName] = useState("");
  const may = useMay();
  const stored = useQuery({ ...storedSkills, enabled: may("components:read") });
  const skills = skillsIn(config);
  const choices = (stored.data ?? [])
    // Whoever stores a config needs the scope to read what it names.
    .filter(({ component_id: id }) => may("skills:read", id) && !skills.some(({ name }) => name === id))
    .map(({ component_id: id, name: text }) => ({ id, text, about: id }));
  const add = () => {
    onChange(withSkill(config, name.trim()));
    setName("");
  };
  return (
    <fieldset className="form-group">
      <legend>Skills</legend>
      {skills.length > 0 && (
        <ul className="parts">
          {skills.map((skill, at) => (
            <li key={skill.name}>
              <code className="cut">{skill.name}</code>
              <span className="small faint">{skill.place}</span>
              <span className="parts-acts">
                <Button
                  kind="plain"
                  size="small"
                  icon={<X size={13} aria-hidden />}
                  label={`Take out ${skill.name}`}
                  onPress={() => onChange(withoutSkill(config, at))}
                />
              </span>
            </li>
          ))}
        </ul>
      )}
      {choices.length > 0 && (
        <Combo
          key={skills.length}
          label="Add a stored skill"
          placeholder="Type to search"
          choices={choices}
          value=""
          onChange={(skill_id) => onChange(withSkill(config, { skill_id }))}
        />
      )}
      <div className="editor-add">
        <TextField label="Name of a registered skill" value={name} onChange={setName} />
        <Button
          isDisabled={name.trim() === "" || skills.some((one) => one.name === name.trim())}
          onPress={add}
        >
          Add the skill
        </Button>
      </div>
    </fieldset>
  );
}
