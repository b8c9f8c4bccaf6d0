import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import type { EvalRun } from "../../../client/index.ts";
import { platform } from "../../api/platform.ts";
import { Button } from "../../parts/button.tsx";
import { Dialog } from "../../parts/dialog.tsx";
import { TextField } from "../../parts/form/fields.tsx";
import { notify } from "../../parts/messages.tsx";
import { errorText } from "../../parts/state.tsx";
import { nameOf } from "./outcome.ts";

/** Changes the name of an evaluation. */
export function RenameForm({ run, onClose }: { readonly run: EvalRun; readonly onClose: () => void }) {
  const client = useQueryClient();
  const [name, setName] = useState(nameOf(run));
  const save = useMutation({
    mutationFn: () => platform.updateEval({ path: { eval_run_id: run.id }, body: { name: name.trim() } }),
    onSuccess: (saved) => {
      client.setQueryData(["evaluations", "one", run.id], saved);
      void client.invalidateQueries({ queryKey: ["evaluations", "list"] });
      notify(`It is now called ${nameOf(saved)}.`);
      onClose();
    },
  });
  return (
    <Dialog title="Rename the evaluation" isOpen onClose={onClose}>
      <TextField
        label="Name"
        value={name}
        onChange={setName}
        error={save.isError ? errorText(save.error) : undefined}
        autoFocus
      />
      <div className="dialog-actions">
        <Button onPress={onClose}>Cancel</Button>
        <Button kind="main" isDisabled={save.isPending || name.trim() === ""} onPress={() => save.mutate()}>
          Rename
        </Button>
      </div>
    </Dialog>
  );
}
