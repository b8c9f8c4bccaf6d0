import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { NotebookPen, Sparkles } from "lucide-react";
import { useMemo, useState } from "react";
import type { UserMemory } from "../../../client/index.ts";
import { useMay, useMe } from "../../access/use-me.ts";
import { platform } from "../../api/platform.ts";
import { usePagedList } from "../../api/use-paged-list.ts";
import { countOf } from "../../parts/amounts.ts";
import { Button } from "../../parts/button.tsx";
import { type Filter, Filters, isFiltered } from "../../parts/list/filters.tsx";
import { CardListView, type Emptiness } from "../../parts/list/list-view.tsx";
import { RemovalBar } from "../../parts/list/removal-bar.tsx";
import { useChosen } from "../../parts/list/use-chosen.tsx";
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

const idOf = ({ memory_id }: UserMemory): string => memory_id;

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
    idOf,
  });
  const chosen = useChosen(list.rows, idOf);
  const [removing, setRemoving] = useState<readonly UserMemory[]>([]);
  const [isMerging, setMerging] = useState(false);
  const mayRemove = may("memories:delete");
  const values = { text, topic };
  const filters: readonly Filter<keyof typeof values>[] = [
    { name: "text", label: "Search", placeholder: "Words of a memory" },
    { name: "topic", label: "Topic", choices: useTopicChoices(user, topic) },
  ];
  const isWhole = !isFiltered(filters, values);
  const canMerge = may("memories:write") && whose !== "" && isWhole && (list.total ?? 0) > 1;
  return (
    <>
      <Filters filters={filters} values={values} onChange={onChange}>
        {canMerge && (
          <Button icon={<Sparkles size={14} aria-hidden />} onPress={() => setMerging(true)}>
            Merge into one
          </Button>
        )}
      </Filters>
      <div className="row bulk-bar">
        {chosen.rows.length > 0 ? (
          <RemovalBar
            count={chosen.rows.length}
            onRemove={() => setRemoving(chosen.rows)}
            onClear={chosen.clear}
          />
        ) : (
          <span className="small soft">{countOf(list.total, "memory", "memories")}</span>
        )}
      </div>
      <CardListView
        label="Memories"
        list={list}
        row={(memory) => (
          <MemoryRow
            key={memory.memory_id}
            memory={memory}
            showsUser={me.is_admin && user === ""}
            isChosen={chosen.has(memory)}
            {...(mayRemove && {
              onChoose: (is: boolean) => chosen.choose(memory, is),
              onRemove: () => setRemoving([memory]),
            })}
          />
        )}
        empty={isWhole ? noMemories : { title: "No memory matches this search" }}
      />
      <RemoveMemories memories={removing} onClose={() => setRemoving([])} onDone={chosen.clear} />
      {isMerging && (
        <OptimizeMemories user={whose} isMine={whose === me.id} onClose={() => setMerging(false)} />
      )}
    </>
  );
}

function useTopicChoices(user: string, chosen: string) {
  const { data = [] } = useQuery({
    queryKey: ["memories", "topics", user],
    queryFn: () => platform.listMemoryTopics({ query: user ? { user_id: user } : {} }),
    placeholderData: keepPreviousData,
  });
  const known = data.includes(chosen) || chosen === "" ? data : [chosen, ...data];
  return [{ id: "", text: "All topics" }, ...known.map((topic) => ({ id: topic, text: topic }))];
}

const noMemories: Emptiness = {
  title: "Nothing is remembered",
  icon: NotebookPen,
  text: "Agents whose memory is on keep here what they should know the next time.",
};
