import { useMutation, useQueryClient } from "@tanstack/react-query";
import { Sparkles } from "lucide-react";
import { useState } from "react";
import { platform } from "../../api/platform.ts";
import { Button } from "../../parts/button.tsx";
import { Dialog } from "../../parts/dialog.tsx";
import { TextField } from "../../parts/form/fields.tsx";
import { notify, notifyFailure } from "../../parts/messages.tsx";

type RenameProps = {
  readonly id: string;
  readonly name: string;
  readonly isOpen: boolean;
  readonly onClose: () => void;
};

/** A new name for a session: the reader's, or one that the model finds. */
export function RenameSession({ id, name, isOpen, onClose }: RenameProps) {
  const client = useQueryClient();
  const [text, setText] = useState(name);
  const rename = useMutation({
    mutationFn: (body: { readonly session_name: string } | { readonly autogenerate: true }) =>
      platform.renameSession({ path: { session_id: id }, body }),
    onSuccess: ({ session_name }) => {
      notify(`The session is now called “${session_name}”.`);
      setText(session_name);
      onClose();
    },
    onError: notifyFailure,
    onSettled: () => client.invalidateQueries({ queryKey: ["sessions"] }),
  });
  const trimmed = text.trim();
  return (
    <Dialog title="Rename the session" isOpen={isOpen} onClose={onClose}>
      <form
        className="stack"
        onSubmit={(event) => {
          event.preventDefault();
          if (trimmed !== "") rename.mutate({ session_name: trimmed });
        }}
      >
        <TextField label="Name" value={text} onChange={setText} maxLength={255} autoFocus />
        <div className="dialog-actions">
          <Button
            kind="plain"
            icon={<Sparkles size={14} aria-hidden />}
            isDisabled={rename.isPending}
            onPress={() => rename.mutate({ autogenerate: true })}
          >
            Have the model name it
          </Button>
          <Button onPress={onClose}>Keep as it is</Button>
          <Button kind="main" type="submit" isDisabled={rename.isPending || trimmed === ""}>
            Rename
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
