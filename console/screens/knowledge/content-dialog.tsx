import { useMutation } from "@tanstack/react-query";
import { RotateCw, Trash2 } from "lucide-react";
import { useEffect, useId, useState } from "react";
import { Form } from "react-aria-components/Form";
import type { Content } from "../../../client/index.ts";
import { useMay } from "../../access/use-me.ts";
import { platform } from "../../api/platform.ts";
import { sizeText } from "../../parts/amounts.ts";
import { Status } from "../../parts/badge.tsx";
import { Button } from "../../parts/button.tsx";
import { Confirm, Dialog } from "../../parts/dialog.tsx";
import { TextField } from "../../parts/form/fields.tsx";
import { Id } from "../../parts/id.tsx";
import { Json } from "../../parts/json.tsx";
import { notify, notifyFailure } from "../../parts/messages.tsx";
import { Notice } from "../../parts/notice.tsx";
import { Facts } from "../../parts/page.tsx";
import { Failed, Skeleton } from "../../parts/state.tsx";
import { Time } from "../../parts/time.tsx";
import { type Base, queryOf } from "./base.ts";
import { metadataOf, metadataText } from "./metadata-text.ts";
import { readContentsAgain, readListsAgain, useContent } from "./use-contents.ts";

type ContentDialogProps = { readonly base: Base; readonly id: string; readonly onClose: () => void };

/** One content: how its processing stands, and what can be changed of it. */
export function ContentDialog({ base, id, onClose }: ContentDialogProps) {
  const { data, error, refetch } = useContent(base, id);
  return (
    <Dialog title={data?.name ?? "Content"} isOpen={id !== ""} onClose={onClose} wide>
      {error && !data ? (
        <Failed error={error} retry={() => refetch()} />
      ) : !data ? (
        <Skeleton lines={5} />
      ) : (
        <Shown key={data.id} base={base} content={data} onClose={onClose} />
      )}
    </Dialog>
  );
}

/** Types of contents that are fetched, and so can be fetched again. */
const fetched = new Set(["url", "s3", "gcs", "sharepoint", "github", "azureblob"]);

type ShownProps = { readonly base: Base; readonly content: Content; readonly onClose: () => void };

function Shown({ base, content, onClose }: ShownProps) {
  const may = useMay();
  const formId = useId();
  const [isReady, setReady] = useState(false);
  const [isRemoving, setRemoving] = useState(false);
  const at = { path: { content_id: content.id }, query: queryOf(base) };
  const refresh = useMutation({
    mutationFn: () => platform.refreshContent(at),
    onSuccess: () => {
      notify("It is being fetched again. Until then, searches find its previous text.");
      readContentsAgain(base);
    },
    onError: notifyFailure,
  });
  const remove = useMutation({
    mutationFn: () => platform.removeContent(at),
    onSuccess: () => {
      notify(`${content.name ?? "The content"} was deleted.`);
      onClose();
      readListsAgain(base);
    },
    onError: notifyFailure,
  });
  const { status, status_message, type, size, created_at, updated_at, metadata } = content;
  return (
    <div className="stack">
      {status !== "failed" && status_message && (
        <Notice tone={status === "completed" ? "warn" : "plain"}>{status_message}</Notice>
      )}
      {status === "failed" && <Notice tone="bad">{status_message || "It could not be processed."}</Notice>}
      <Facts
        of={[
          ["Status", <Status key="status" of={status} />],
          ["Type", type],
          ["Size", size === null || size === "0" ? undefined : sizeText(Number(size))],
          ["Added", created_at && <Time key="added" at={created_at} />],
          ["Changed", updated_at && <Time key="changed" at={updated_at} />],
          ["Id", <Id key="id" value={content.id} whole />],
        ]}
      />
      {may("knowledge:write") ? (
        <Change base={base} content={content} formId={formId} onReady={setReady} />
      ) : (
        <>
          {content.description && (
            <p className="plain-text" dir="auto">
              {content.description}
            </p>
          )}
          {metadata && <Json value={metadata} />}
        </>
      )}
      <div className="dialog-actions">
        {may("knowledge:delete") && (
          <span className="dialog-actions-start">
            <Button kind="danger" icon={<Trash2 size={14} aria-hidden />} onPress={() => setRemoving(true)}>
              Delete
            </Button>
          </span>
        )}
        {may("knowledge:write") && fetched.has(type ?? "") && (
          <Button
            icon={<RotateCw size={14} aria-hidden />}
            isDisabled={refresh.isPending || status === "processing"}
            onPress={() => refresh.mutate()}
          >
            Fetch it again
          </Button>
        )}
        <Button onPress={onClose}>Close</Button>
        {may("knowledge:write") && (
          <Button kind="main" type="submit" form={formId} isDisabled={!isReady}>
            Save the changes
          </Button>
        )}
      </div>
      <Confirm
        title={`Delete ${content.name ?? "this content"}?`}
        isOpen={isRemoving}
        onClose={() => setRemoving(false)}
        action="Delete the content"
        isDangerous
        isBusy={remove.isPending}
        onConfirm={() => remove.mutate()}
      >
        <p>Searches and agents no longer find it. It cannot be restored, only added again.</p>
      </Confirm>
    </div>
  );
}

type ChangeProps = {
  readonly base: Base;
  readonly content: Content;
  /** Of the form, for the button that sends it. */
  readonly formId: string;
  /** Called with whether there is something to save. */
  readonly onReady: (isReady: boolean) => void;
};

function Change({ base, content, formId, onReady }: ChangeProps) {
  const [name, setName] = useState(content.name ?? "");
  const [description, setDescription] = useState(content.description ?? "");
  const [metadata, setMetadata] = useState(metadataText(content.metadata));
  const parsed = metadataOf(metadata);
  const save = useMutation({
    mutationFn: () =>
      platform.updateContent({
        path: { content_id: content.id },
        query: queryOf(base),
        body: { name, description, ...(typeof parsed === "object" && { metadata: parsed }) },
      }),
    onSuccess: () => {
      notify("The changes were saved.");
      readContentsAgain(base);
    },
    onError: notifyFailure,
  });
  const isChanged =
    name !== (content.name ?? "") ||
    description !== (content.description ?? "") ||
    metadata !== metadataText(content.metadata);
  const isReady = isChanged && name.trim() !== "" && typeof parsed !== "string" && !save.isPending;
  useEffect(() => onReady(isReady), [isReady, onReady]);
  return (
    <Form
      id={formId}
      className="stack"
      onSubmit={(event) => {
        event.preventDefault();
        if (isReady) save.mutate();
      }}
    >
      <TextField label="Name" value={name} onChange={setName} />
      <TextField label="Description" value={description} onChange={setDescription} />
      <TextField
        label="Metadata"
        rows={4}
        inputClass="react-aria-TextArea mono"
        hint="A JSON object that searches can filter by. What you leave out stays as it is."
        error={typeof parsed === "string" ? parsed : undefined}
        value={metadata}
        onChange={setMetadata}
      />
    </Form>
  );
}
