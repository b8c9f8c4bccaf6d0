import { useMe } from "../../access/use-me.ts";
import type { Kind } from "../../api/kinds.ts";
import { Button } from "../../parts/button.tsx";
import { Dialog } from "../../parts/dialog.tsx";
import { Checkbox, TextField } from "../../parts/form/fields.tsx";
import { Select } from "../../parts/form/select.tsx";
import { type JsonSetting, jsonProblem, noSettings, type Settings } from "./settings.ts";

type SettingsDialogProps = {
  readonly kind: Kind;
  readonly settings: Settings;
  readonly onChange: (changes: Partial<Settings>) => void;
  readonly isOpen: boolean;
  readonly onClose: () => void;
};

const about: Readonly<Record<JsonSetting, readonly [string, string]>> = {
  session_state: ["Session state", "Merged into the state of the session."],
  dependencies: ["Dependencies", "Values that instructions and tools can read."],
  metadata: ["Metadata", "Stored with the run and shown with it."],
  knowledge_filters: ["Knowledge filters", "What of the knowledge base may be searched, by metadata."],
  output_schema: ["Output schema", "A JSON Schema that the answer must fit."],
};

const policies = [
  { id: "", text: "As the platform is set" },
  { id: "parallel", text: "Run in parallel" },
  { id: "queue", text: "Wait for it", about: "In the background only" },
  { id: "interrupt", text: "Cancel it" },
  { id: "reject", text: "Refuse the new one" },
];

/** How the next runs are started. */
export function SettingsDialog({ kind, settings, onChange, isOpen, onClose }: SettingsDialogProps) {
  const me = useMe();
  const jsonOf: readonly JsonSetting[] =
    kind === "workflow"
      ? ["session_state", "metadata"]
      : ["session_state", "dependencies", "metadata", "knowledge_filters", "output_schema"];
  return (
    <Dialog title="Settings of the next runs" isOpen={isOpen} onClose={onClose} wide>
      <div className="settings-grid">
        <div className="stack-tight">
          <Checkbox isSelected={settings.background} onChange={(background) => onChange({ background })}>
            Run in the background
          </Checkbox>
          <p className="field-hint">
            The queue executes it: it survives crashes, and is followed here all the same.
          </p>
        </div>
        <Select
          label="While another run of the session goes on"
          choices={policies}
          value={settings.session_policy}
          onChange={(session_policy) => onChange({ session_policy })}
        />
        {me.is_admin && (
          <TextField
            label="User"
            hint="Counts only for a credential without a user of its own."
            value={settings.user_id}
            onChange={(user_id) => onChange({ user_id })}
          />
        )}
        {jsonOf.map((name) => {
          const [label, hint] = about[name];
          return (
            <TextField
              key={name}
              label={`${label} (JSON)`}
              hint={hint}
              rows={3}
              inputClass="react-aria-TextArea mono"
              placeholder="{}"
              value={settings[name]}
              error={jsonProblem(name, settings[name])}
              onChange={(text) => onChange({ [name]: text })}
            />
          );
        })}
      </div>
      <div className="dialog-actions">
        <Button onPress={() => onChange(noSettings)}>Clear all</Button>
        <Button kind="main" onPress={onClose}>
          Done
        </Button>
      </div>
    </Dialog>
  );
}
