import { useMutation, useQueryClient } from "@tanstack/react-query";
import { platform } from "../../api/platform.ts";
import { Written } from "../../conversation/message.tsx";
import { countText } from "../../parts/amounts.ts";
import { Button } from "../../parts/button.tsx";
import { Dialog } from "../../parts/dialog.tsx";
import { notify } from "../../parts/messages.tsx";
import { Notice } from "../../parts/notice.tsx";
import { Facts } from "../../parts/page.tsx";
import { errorText, Skeleton } from "../../parts/state.tsx";

type OptimizeProps = {
  readonly user: string;
  readonly isMine: boolean;
  readonly onClose: () => void;
};

/** Has a model merge a person's memories into one; first shows what would come of it. */
export function OptimizeMemories({ user, isMine, onClose }: OptimizeProps) {
  const client = useQueryClient();
  const ask = (apply: boolean) => platform.optimizeMemories({ body: { user_id: user, apply } });
  const preview = useMutation({ mutationFn: () => ask(false) });
  const merge = useMutation({
    mutationFn: () => ask(true),
    onSuccess: ({ memories_before, memories_after }) => {
      notify(
        memories_after < memories_before
          ? "The memories are merged into one."
          : "Merging would not make them shorter, so they stay as they were.",
      );
      onClose();
    },
    onSettled: () => client.invalidateQueries({ queryKey: ["memories"] }),
  });
  const shown = preview.data;
  const error = preview.error ?? merge.error;
  const isShorter = shown !== undefined && shown.tokens_after < shown.tokens_before;
  return (
    <Dialog
      title={isMine ? "Merge your memories?" : `Merge the memories of ${user}?`}
      isOpen
      onClose={onClose}
      wide
    >
      <p className="soft">
        A model writes one memory that replaces them all. Each preview, and the merge itself, calls the model
        once.
      </p>
      {error && <Notice tone="bad">{errorText(error)}</Notice>}
      {preview.isPending && <Skeleton lines={4} />}
      {shown && (
        <>
          {shown.memories.map(({ memory_id, memory }) => (
            <div key={memory_id} className="call">
              <Written text={memory} />
            </div>
          ))}
          <Facts
            of={[
              ["Memories", `${countText(shown.memories_before)} → ${countText(shown.memories_after)}`],
              ["Tokens", `${countText(shown.tokens_before)} → ${countText(shown.tokens_after)}`],
            ]}
          />
          <Notice tone={isShorter ? "plain" : "warn"}>
            {isShorter
              ? "Merging asks the model again, so its wording may differ a little from this preview. The current memories are deleted."
              : "This would not be shorter. The platform merges only what becomes shorter."}
          </Notice>
        </>
      )}
      <div className="dialog-actions">
        <Button onPress={onClose}>Keep as it is</Button>
        <Button
          {...(!shown && { kind: "main" as const })}
          isDisabled={preview.isPending || merge.isPending}
          onPress={() => preview.mutate()}
        >
          {shown ? "Preview again" : "Show a preview"}
        </Button>
        {isShorter && (
          <Button kind="danger-main" isDisabled={merge.isPending} onPress={() => merge.mutate()}>
            {merge.isPending ? "Working…" : `Merge ${countText(shown.memories_before)} memories`}
          </Button>
        )}
      </div>
    </Dialog>
  );
}
