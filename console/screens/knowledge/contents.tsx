import { useMutation } from "@tanstack/react-query";
import { BookOpen } from "lucide-react";
import { useState } from "react";
import type { Content } from "../../../client/index.ts";
import { useMay, useMe } from "../../access/use-me.ts";
import { platform } from "../../api/platform.ts";
import { countOf, countText, sizeText } from "../../parts/amounts.ts";
import { Status } from "../../parts/badge.tsx";
import { Button } from "../../parts/button.tsx";
import { Confirm } from "../../parts/dialog.tsx";
import type { Column } from "../../parts/list/list.tsx";
import { ListView } from "../../parts/list/list-view.tsx";
import { notify, notifyFailure } from "../../parts/messages.tsx";
import { Time } from "../../parts/time.tsx";
import { AddContent } from "./add-content.tsx";
import { AddFromSource } from "./add-from-source.tsx";
import { type Base, queryOf, useBaseConfig } from "./base.ts";
import { DropFiles } from "./drop-files.tsx";
import { readListsAgain, useContents } from "./use-contents.ts";

type ContentsProps = {
  readonly base: Base;
  /** Address of a content's details. */
  readonly pathOf: (content: Content) => string;
};

/** What a base holds, and how more gets into it. */
export function Contents({ base, pathOf }: ContentsProps) {
  const may = useMay();
  const list = useContents(base);
  const { data: config } = useBaseConfig(base);
  const [adding, setAdding] = useState<"address" | "text" | "source">();
  const close = () => setAdding(undefined);
  const sources = config?.remote_content_sources ?? [];
  return (
    <>
      {may("knowledge:write") && (
        <DropFiles base={base}>
          <Button onPress={() => setAdding("address")}>Add an address</Button>
          <Button onPress={() => setAdding("text")}>Add a text</Button>
          {sources.length > 0 && <Button onPress={() => setAdding("source")}>Add from a source</Button>}
        </DropFiles>
      )}
      <ListView
        label="Contents"
        list={list}
        keyOf={({ id }) => id}
        columns={columns}
        to={pathOf}
        rowHeight={56}
        foot={<Foot base={base} total={list.total ?? list.rows.length} />}
        empty={{
          title: "This base is empty",
          icon: BookOpen,
          text: may("knowledge:write")
            ? "Drop a file above, and agents that use this base can look it up."
            : "You need the scope “knowledge:write” to add to it.",
        }}
      />
      {(adding === "address" || adding === "text") && (
        <AddContent base={base} from={adding} onClose={close} />
      )}
      {adding === "source" && <AddFromSource base={base} sources={sources} onClose={close} />}
    </>
  );
}

const columns: readonly Column<Content>[] = [
  {
    id: "name",
    title: "Name",
    width: "minmax(120px, 3fr)",
    cell: ({ name, id, description, status, status_message }) => (
      <div className="content-name">
        <span className="cut" dir="auto">
          {name ?? id}
        </span>
        {status === "failed" ? (
          <span className="cut small content-error" title={status_message ?? undefined}>
            {status_message || "It could not be processed."}
          </span>
        ) : (
          // How far it is, or what was not read.
          (status_message || description) && (
            <span className="cut small faint" dir="auto">
              {status_message || description}
            </span>
          )
        )}
      </div>
    ),
  },
  { id: "status", title: "Status", width: "112px", cell: ({ status }) => <Status of={status} /> },
  {
    id: "type",
    title: "Type",
    width: "minmax(80px, 1fr)",
    from: 600,
    cell: ({ type }) => (
      <span className="cut soft block" title={type ?? undefined}>
        {type ?? "–"}
      </span>
    ),
  },
  {
    id: "size",
    title: "Size",
    from: 600,
    width: "72px",
    end: true,
    cell: ({ size }) => (size === null || size === "0" ? "–" : sizeText(Number(size))),
  },
  {
    id: "changed",
    title: "Changed",
    width: "clamp(60px, 14vw, 104px)",
    end: true,
    cell: ({ updated_at, created_at }) => {
      const at = updated_at ?? created_at;
      return at === null ? "–" : <Time at={at} />;
    },
  },
];

function Foot({ base, total }: { readonly base: Base; readonly total: number }) {
  const may = useMay();
  const { is_admin } = useMe();
  const [isRemoving, setRemoving] = useState(false);
  const remove = useMutation({
    mutationFn: () => platform.removeAllContent({ query: queryOf(base) }),
    onSuccess: () => {
      notify("The contents were deleted.");
      setRemoving(false);
      readListsAgain(base);
    },
    onError: notifyFailure,
  });
  return (
    <div className="row row-spread">
      <span>{countOf(total, "content")}</span>
      {may("knowledge:delete") && (
        <Button kind="plain" size="small" onPress={() => setRemoving(true)}>
          Delete all
        </Button>
      )}
      <Confirm
        title={`Delete all contents of ${base.name}?`}
        isOpen={isRemoving}
        onClose={() => setRemoving(false)}
        action={is_admin ? "Delete all contents" : "Delete all contents that are mine"}
        isDangerous
        isBusy={remove.isPending}
        onConfirm={() => remove.mutate()}
      >
        <p>
          {is_admin
            ? `All ${countText(total)} are deleted, whoever added them.`
            : "Those that you added are deleted; what others added stays."}{" "}
          Searches and agents no longer find them. They cannot be restored.
        </p>
      </Confirm>
    </div>
  );
}
