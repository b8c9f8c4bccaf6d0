import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { NotebookPen, Sparkles, Trash2, X } from "lucide-react";
import { useMemo, useState } from "react";
import type { UserMemory } from "../../../client/index.ts";
import { useMay, useMe } from "../../access/use-me.ts";
import { platform } from "../../api/platform.ts";
import { usePagedList } from "../../api/use-paged-list.ts";
import { countText } from "../../parts/amounts.ts";
import { Button } from "../../parts/button.tsx";
import { Select } from "../../parts/form/fields.tsx";
import { ListFrame } from "../../parts/list/list-frame.tsx";
import { SearchField } from "../../parts/list/search-field.tsx";
import { Empty } from "../../parts/state.tsx";
import { MemoryRow } from "./memory-row.tsx";
import { OptimizeMemories } from "./optimize-memories.tsx";
import { RemoveMemories } from "./remove-memories.tsx";

type MemoryListProps = {
  /** Whose; an admin who names no user sees all. */
  readonly user: string;
  readonly text: string;
  readonly topic: string;
  readonly onChange: (changes: { readonly text?: string; readonly topic?: string }) => void;
};

const none: ReadonlySet<string> = new Set();

/** The memories of one person: read, searched, corrected, deleted. */
export function MemoryList({ user, text, topic, onChange }: MemoryListProps) {
  const may = useMay();
  const me = useMe();
  const whose = me.is_admin ? user : (me.id ?? "");
  const query = useMemo(
    () => ({
      ...(user && { user_id: user }),
      ...(text && { search_content: text }),
      ...(topic && { topics: [topic] }),
    }),
    [user, text, topic],
  );
  const list = usePagedList<UserMemory>({
    key: ["memories", "list", query],
    read: (page, signal) => platform.listMemories({ query: { ...query, ...page } }, { signal }),
    idOf: ({ memory_id }) => memory_id,
  });
  const { rows } = list;
  const [chosen, setChosen] = useState(none);
  const chosenRows = rows.filter(({ memory_id }) => chosen.has(memory_id));
  const [removing, setRemoving] = useState<readonly UserMemory[]>([]);
  const [isMerging, setMerging] = useState(false);
  const mayRemove = may("memories:delete");
  const isWhole = text === "" && topic === "";
  const canMerge = may("memories:write") && whose !== "" && isWhole && (list.total ?? 0) > 1;
  return (
    <>
      <div className="filters">
        <SearchField
          label="Search"
          placeholder="Words of a memory"
          value={text}
          onChange={(next) => onChange({ text: next })}
        />
        <Topics user={user} value={topic} onChange={(next) => onChange({ topic: next })} />
        {!isWhole && (
          <Button
            kind="plain"
            icon={<X size={14} aria-hidden />}
            onPress={() => onChange({ text: "", topic: "" })}
          >
            Clear
          </Button>
        )}
        {canMerge && (
          <Button icon={<Sparkles size={14} aria-hidden />} onPress={() => setMerging(true)}>
            Merge into one
          </Button>
        )}
      </div>
      <div className="row bulk-bar">
        {chosenRows.length > 0 ? (
          <>
            <span className="bulk-count">{countText(chosenRows.length)} selected</span>
            <Button
              kind="danger"
              size="small"
              icon={<Trash2 size={13} aria-hidden />}
              onPress={() => setRemoving(chosenRows)}
            >
              Delete {countText(chosenRows.length)}
            </Button>
            <Button kind="plain" size="small" onPress={() => setChosen(none)}>
              Select none
            </Button>
          </>
        ) : (
          <span className="small soft">
            {list.total === undefined
              ? " "
              : list.total === 1
                ? "1 memory"
                : `${countText(list.total)} memories`}
          </span>
        )}
      </div>
      <ListFrame
        className="kept-frame"
        reading={list.reading}
        count={rows.length}
        empty={<NoMemories isFiltered={!isWhole} />}
        changes={list.changes}
        onShowChanges={list.refresh}
      >
        <ul className="kept-list" aria-label="Memories">
          {rows.map((memory) => (
            <MemoryRow
              key={memory.memory_id}
              memory={memory}
              showsUser={me.is_admin && user === ""}
              isChosen={chosen.has(memory.memory_id)}
              {...(mayRemove && {
                onChoose: (is: boolean) =>
                  setChosen(
                    (before) =>
                      new Set(
                        is
                          ? [...before, memory.memory_id]
                          : [...before].filter((one) => one !== memory.memory_id),
                      ),
                  ),
                onRemove: () => setRemoving([memory]),
              })}
            />
          ))}
        </ul>
        {list.reading.hasMore && <Button onPress={list.reading.onEnd}>Show more</Button>}
      </ListFrame>
      <RemoveMemories memories={removing} onClose={() => setRemoving([])} onDone={() => setChosen(none)} />
      {isMerging && (
        <OptimizeMemories user={whose} isMine={whose === me.id} onClose={() => setMerging(false)} />
      )}
    </>
  );
}

function Topics({
  user,
  value,
  onChange,
}: {
  readonly user: string;
  readonly value: string;
  readonly onChange: (topic: string) => void;
}) {
  const { data = [] } = useQuery({
    queryKey: ["memories", "topics", user],
    queryFn: () => platform.listMemoryTopics({ query: user ? { user_id: user } : {} }),
    placeholderData: keepPreviousData,
  });
  const known = data.includes(value) || value === "" ? data : [value, ...data];
  return (
    <Select
      label="Topic"
      choices={[{ id: "", text: "All topics" }, ...known.map((topic) => ({ id: topic, text: topic }))]}
      value={value}
      onChange={onChange}
    />
  );
}

function NoMemories({ isFiltered }: { readonly isFiltered: boolean }) {
  if (isFiltered) return <Empty title="No memory matches this search" />;
  return (
    <Empty title="Nothing is remembered" icon={<NotebookPen size={28} aria-hidden />}>
      <p>Agents whose memory is on keep here what they should know the next time.</p>
    </Empty>
  );
}
