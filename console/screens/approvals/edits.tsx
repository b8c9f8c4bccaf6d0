import { Pencil } from "lucide-react";
import type { Approval } from "../../../client/index.ts";
import { Button } from "../../parts/button.tsx";
import { TextField } from "../../parts/form/fields.tsx";
import { callKey } from "./calls.tsx";

/** The arguments of calls as an approver writes them, JSON by the key of the call. */
export type Edits = Readonly<Record<string, string>>;

type Arguments = Record<string, unknown>;
type Editable = { readonly key: string; readonly name: string; readonly args: Arguments };

const written = (args: Arguments): string => JSON.stringify(args, null, 2);

/** The calls whose arguments may be changed: those that wait for a confirmation. */
export const editableCalls = ({ requirements }: Approval): readonly Editable[] =>
  (requirements ?? []).flatMap(({ tool_execution: call, member_run_id }) =>
    call.requires_confirmation
      ? [
          {
            key: callKey(call.tool_call_id, member_run_id),
            name: call.tool_name,
            args: call.tool_args,
          },
        ]
      : [],
  );

/**
 * The arguments that were changed, by call.
 *
 * @throws Error that names the call whose text is no JSON object
 */
export function editedArgs(calls: readonly Editable[], edits: Edits): Record<string, Arguments> {
  const changed = calls.filter(({ key, args }) => edits[key] !== undefined && edits[key] !== written(args));
  return Object.fromEntries(changed.map(({ key, name }) => [key, argumentsIn(edits[key] ?? "", name)]));
}

function argumentsIn(text: string, name: string): Arguments {
  try {
    const value: unknown = JSON.parse(text);
    if (value !== null && typeof value === "object" && !Array.isArray(value)) return { ...value };
  } catch {
    // The same is wrong with what is no object.
  }
  throw new Error(`The arguments of ${name} must be a JSON object.`);
}

/** A small editor for the arguments of each call, opened where it is wanted. */
export function EditFields({
  calls,
  edits,
  onChange,
}: {
  readonly calls: readonly Editable[];
  readonly edits: Edits;
  readonly onChange: (edits: Edits) => void;
}) {
  return calls.map(({ key, name, args }) =>
    edits[key] === undefined ? (
      <Button
        key={key}
        icon={<Pencil size={15} aria-hidden />}
        onPress={() => onChange({ ...edits, [key]: written(args) })}
      >
        Change the arguments of {name}
      </Button>
    ) : (
      <TextField
        key={key}
        label={`Arguments of ${name}`}
        hint="JSON. What was proposed is kept with the decision."
        rows={Math.min(12, written(args).split("\n").length + 1)}
        value={edits[key]}
        onChange={(text) => onChange({ ...edits, [key]: text })}
      />
    ),
  );
}
