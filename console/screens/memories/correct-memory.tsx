import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import type { UserMemory } from "../../../client/index.ts";
import { platform } from "../../api/platform.ts";
import { Button } from "../../parts/button.tsx";
import { Dialog } from "../../parts/dialog.tsx";
import { TextField } from "../../parts/form/fields.tsx";
import { notify, notifyFailure } from "../../parts/messages.tsx";

/** Text and topics of a memory, to be corrected. */
export function CorrectMemory({
  memory,
  onClose,
}: {
  readonly memory: UserMemory;
  readonly onClose: () => void;
}) {
  const client = useQueryClient();
  const [text, setText] = useState(memory.memory);
  const [topics, setTopics] = useState((memory.topics ?? []).join(", "));
  const correct = useMutation({
    mutationFn: () =>
      platform.updateMemory({
        path: { memory_id: memory.memory_id },
        body: {
          memory: text,
          topics: topicsOf(topics),
          ...(memory.user_id !== null && { user_id: memory.user_id }),
        },
      }),
    onSuccess: () => {
      notify("The memory is corrected.");
      onClose();
    },
    onError: notifyFailure,
    onSettled: () => client.invalidateQueries({ queryKey: ["memories"] }),
  });
  return (
    <Dialog title="Correct this memory" isOpen onClose={onClose}>
      <form
        className="stack"
        onSubmit={(event) => {
          event.preventDefault();
          correct.mutate();
        }}
      >
        <TextField label="Memory" rows={5} value={text} onChange={setText} maxLength={5000} autoFocus />
        <TextField label="Topics" hint="Separated by commas" value={topics} onChange={setTopics} />
        <div className="dialog-actions">
          <Button onPress={onClose}>Keep as it is</Button>
          <Button kind="main" type="submit" isDisabled={correct.isPending || text.trim() === ""}>
            Save
          </Button>
        </div>
      </form>
    </Dialog>
  );
}

const topicsOf = (text: string): readonly string[] | null => {
  const topics = text
    .split(",")
    .map((topic) => topic.trim())
    .filter((topic) => topic !== "");
  return topics.length === 0 ? null : topics;
};
