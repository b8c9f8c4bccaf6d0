import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import type { Component } from "../../../client/index.ts";
import { platform } from "../../api/platform.ts";
import { Button } from "../../parts/button.tsx";
import { Dialog } from "../../parts/dialog.tsx";
import { TextField } from "../../parts/form/fields.tsx";
import { notify } from "../../parts/messages.tsx";
import { Notice } from "../../parts/notice.tsx";
import { errorText } from "../../parts/state.tsx";
import { useAgain } from "./use-components.ts";

/** Changes how a component is called; its versions stay as they are. */
export function DetailsForm({
  component,
  onClose,
}: {
  readonly component: Component;
  readonly onClose: () => void;
}) {
  const [name, setName] = useState(component.name);
  const [description, setDescription] = useState(component.description ?? "");
  const again = useAgain();
  const save = useMutation({
    mutationFn: () =>
      platform.updateComponent({
        path: { component_id: component.component_id },
        body: { name: name.trim(), description },
      }),
    onSuccess: (saved) => {
      notify(`It is now called ${saved.name}.`);
      void again();
      onClose();
    },
  });
  return (
    <Dialog title={`Rename ${component.name}`} isOpen onClose={onClose}>
      {save.isError && <Notice tone="bad">{errorText(save.error)}</Notice>}
      <TextField label="Name" value={name} onChange={setName} autoFocus />
      <TextField label="Description" value={description} onChange={setDescription} rows={3} />
      <p className="small faint">
        A version whose config has a name of its own sets that name again when it is made live.
      </p>
      <div className="dialog-actions">
        <Button onPress={onClose}>Cancel</Button>
        <Button kind="main" isDisabled={save.isPending || name.trim() === ""} onPress={() => save.mutate()}>
          Rename
        </Button>
      </div>
    </Dialog>
  );
}
