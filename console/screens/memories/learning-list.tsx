import { GraduationCap } from "lucide-react";
import { useMemo } from "react";
import type { Learning } from "../../../client/index.ts";
import { useMe } from "../../access/use-me.ts";
import { platform } from "../../api/platform.ts";
import { usePagedList } from "../../api/use-paged-list.ts";
import { countOf } from "../../parts/amounts.ts";
import { type Filter, Filters } from "../../parts/list/filters.tsx";
import { CardListView, type Emptiness } from "../../parts/list/list-view.tsx";
import { LearningRow, typeNames } from "./learning-row.tsx";

type LearningListProps = {
  readonly user: string;
  readonly type: string;
  readonly onChange: (changes: { readonly type?: string; readonly user?: string }) => void;
};

const typeChoices = [
  { id: "", text: "All types" },
  ...Object.entries(typeNames).map(([id, text]) => ({ id, text })),
];

/** What agents have learned: of a person, or for an admin of everything. */
export function LearningList({ user, type, onChange }: LearningListProps) {
  const { is_admin } = useMe();
  const query = useMemo(
    () => ({ ...(user && { user_id: user }), ...(type && { learning_type: type }) }),
    [user, type],
  );
  const list = usePagedList<Learning>({
    key: ["learnings", "list", query],
    read: (page, signal) => platform.listLearnings({ query: { ...query, ...page } }, { signal }),
    idOf: ({ learning_id }) => learning_id,
  });
  const choices = typeChoices.some(({ id }) => id === type)
    ? typeChoices
    : [...typeChoices, { id: type, text: type }];
  const filters: readonly Filter<"type" | "user">[] = [
    { name: "type", label: "Type", choices },
    { name: "user", label: "User", placeholder: "User id", isHidden: !is_admin },
  ];
  return (
    <>
      <Filters filters={filters} values={{ type, user }} onChange={onChange} canClear={false} />
      <p className="small soft">{countOf(list.total, "learning")}</p>
      <CardListView
        label="Learnings"
        list={list}
        row={(learning) => <LearningRow key={learning.learning_id} learning={learning} />}
        empty={nothingLearned}
      />
    </>
  );
}

const nothingLearned: Emptiness = {
  title: "Nothing has been learned",
  icon: GraduationCap,
  text: "Agents whose learning is on keep here profiles, facts about things, and decisions.",
};
