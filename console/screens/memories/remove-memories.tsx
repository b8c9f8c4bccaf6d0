import { useMutation, useQueryClient } from "@tanstack/react-query";
import type { UserMemory } from "../../../client/index.ts";
import { platform } from "../../api/platform.ts";
import { Written } from "../../conversation/message.tsx";
import { countOf } from "../../parts/amounts.ts";
import { Confirm } from "../../parts/dialog.tsx";
import { notify, notifyFailure } from "../../parts/messages.tsx";

type RemoveProps = {
  /** None when nothing is asked. */
  readonly memories: readonly UserMemory[];
  readonly onClose: () => void;
  readonly onDone: () => void;
};

/** Asks before memories are deleted. */
export function RemoveMemories({ memories, onClose, onDone }: RemoveProps) {
  const client = useQueryClient();
  const remove = useMutation({
    mutationFn: () =>
      platform.removeMemories({ body: { memory_ids: memories.map(({ memory_id }) => memory_id) } }),
    onSuccess: () => {
      notify(
        memories.length === 1
          ? "The memory is deleted."
          : `${countOf(memories.length, "memory", "memories")} are deleted.`,
      );
      onClose();
      onDone();
    },
    onError: notifyFailure,
    onSettled: () => client.invalidateQueries({ queryKey: ["memories"] }),
  });
  const [first] = memories;
  const isOne = memories.length === 1;
  return (
    <Confirm
      title={isOne ? "Delete this memory?" : `Delete ${countOf(memories.length, "memory", "memories")}?`}
      isOpen={memories.length > 0}
      onClose={onClose}
      action={isOne ? "Delete the memory" : `Delete ${countOf(memories.length, "memory", "memories")}`}
      isDangerous
      isBusy={remove.isPending}
      onConfirm={() => remove.mutate()}
    >
      {isOne && first && (
        <div className="call">
          <Written text={first.memory} />
        </div>
      )}
      <p>Agents no longer know it in their next runs. It cannot be restored.</p>
    </Confirm>
  );
}
